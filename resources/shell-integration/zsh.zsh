# Belay's shell integration for zsh, third of three: your own .zshrc, then marks prompts and commands with OSC 633 so that
# the terminal knows where a command starts, how it ended and in which folder. Writes nothing to disk.
__belay_nonce=$BELAY_NONCE
unset BELAY_NONCE
# Some systems choose the history file before this one runs.
if [[ ${HISTFILE-} == $__belay_zdotdir/* ]]; then
  HISTFILE=$BELAY_USER_ZDOTDIR/.zsh_history
fi
if [[ $BELAY_USER_ZDOTDIR == $HOME && -z ${BELAY_HAD_ZDOTDIR-} ]]; then
  unset ZDOTDIR
else
  ZDOTDIR=$BELAY_USER_ZDOTDIR
fi
unset BELAY_USER_ZDOTDIR BELAY_HAD_ZDOTDIR __belay_zdotdir
if [[ -f ${ZDOTDIR:-$HOME}/.zshrc ]]; then
  . ${ZDOTDIR:-$HOME}/.zshrc
fi

__belay_ran=
__belay_ps1=

__belay_escape() {
  emulate -L zsh
  REPLY=${1[1,2000]}
  REPLY=${REPLY//\\/\\\\}
  REPLY=${REPLY//;/\\x3b}
  REPLY=${REPLY//$'\n'/\\x0a}
  REPLY=${REPLY//[[:cntrl:]]/ }
}

__belay_preexec() {
  local REPLY
  __belay_ran=1
  # With HIST_IGNORE_SPACE a leading blank says: do not remember this.
  if [[ -o histignorespace && $1 == ' '* ]]; then
    REPLY=
  else
    __belay_escape "$1"
  fi
  builtin print -rn -- $'\e]633;E;'"$REPLY;$__belay_nonce"$'\a\e]633;C\a'
}

__belay_precmd() {
  local belay_status=$? REPLY
  if [[ -n $__belay_ran ]]; then
    builtin print -rn -- $'\e]633;D;'"$belay_status"$'\a'
    __belay_ran=
  fi
  __belay_escape "$PWD"
  builtin print -rn -- $'\e]633;P;Cwd='"$REPLY;$__belay_nonce"$'\a'
  if [[ $PS1 != $__belay_ps1 ]]; then
    __belay_ps1=$'%{\e]633;A\a%}'"$PS1"$'%{\e]633;B\a%}'
    PS1=$__belay_ps1
  fi
}

autoload -Uz add-zsh-hook
add-zsh-hook preexec __belay_preexec
# First to see the exit code, last to see the prompt: precmd hooks of yours run in between.
precmd_functions=(__belay_precmd ${precmd_functions:#__belay_precmd} __belay_precmd)
