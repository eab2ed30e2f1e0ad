# Belay's shell integration for bash. Runs your own start-up files, then marks prompts and commands with OSC 633 so that
# the terminal knows where a command starts, how it ended and in which folder. Writes nothing to disk.
if [ -z "${BELAY_NONCE-}" ]; then return 0; fi
__belay_nonce=$BELAY_NONCE
unset BELAY_NONCE

if [ "${BELAY_LOGIN-}" = 1 ]; then
  unset BELAY_LOGIN
  [ -r /etc/profile ] && . /etc/profile
  for __belay_file in ~/.bash_profile ~/.bash_login ~/.profile; do
    if [ -r "$__belay_file" ]; then
      . "$__belay_file"
      break
    fi
  done
  unset __belay_file
elif [ -r ~/.bashrc ]; then
  . ~/.bashrc
fi

__belay_ready=
__belay_ran=
__belay_number=
__belay_ps1=
__belay_text=
__belay_escaped=

# What readline kept last, as number and text. BASH_REMATCH belongs to you: no regular expressions here.
__belay_history() {
  __belay_text=$(HISTTIMEFORMAT= builtin history 1 2>/dev/null)
  __belay_text=${__belay_text#"${__belay_text%%[![:space:]]*}"}
  REPLY=${__belay_text%%[!0-9]*}
  __belay_text=${__belay_text#"$REPLY"}
  __belay_text=${__belay_text:2}
}

__belay_escape() {
  __belay_escaped=${1:0:2000}
  __belay_escaped=${__belay_escaped//\\/\\\\}
  __belay_escaped=${__belay_escaped//;/\\x3b}
  __belay_escaped=${__belay_escaped//$'\n'/\\x0a}
  __belay_escaped=${__belay_escaped//[[:cntrl:]]/ }
}

__belay_debug() {
  if [ -z "$__belay_ready" ] || [ -n "${COMP_LINE-}" ]; then return 0; fi
  case $BASH_COMMAND in __belay_prompt*) return 0 ;; esac
  local REPLY command=$BASH_COMMAND
  __belay_ready=
  __belay_ran=1
  if [[ -o history ]]; then
    __belay_history
    if [ "$REPLY" = "$__belay_number" ]; then
      # Not kept: the same as before, or meant not to be remembered.
      case $__belay_text in "$command"*) ;; *) __belay_text= ;; esac
    fi
    __belay_number=$REPLY
  else
    __belay_text=$command
  fi
  __belay_escape "$__belay_text"
  builtin printf '\e]633;E;%s;%s\a\e]633;C\a' "$__belay_escaped" "$__belay_nonce"
  return 0
}

__belay_return() { return "$1"; }

__belay_prompt() {
  local belay_status=$? belay_each REPLY
  if [ -n "$__belay_ran" ]; then
    builtin printf '\e]633;D;%s\a' "$belay_status"
    __belay_ran=
  fi
  __belay_ready=
  for belay_each in "${__belay_user_prompt[@]}"; do
    if [ -n "$belay_each" ]; then
      __belay_return "$belay_status"
      eval "$belay_each"
    fi
  done
  __belay_escape "$PWD"
  builtin printf '\e]633;P;Cwd=%s;%s\a' "$__belay_escaped" "$__belay_nonce"
  if [ "$PS1" != "$__belay_ps1" ]; then
    __belay_ps1="\[\e]633;A\a\]$PS1\[\e]633;B\a\]"
    PS1=$__belay_ps1
  fi
  if [ -z "$__belay_number" ] && [[ -o history ]]; then
    __belay_history
    __belay_number=${REPLY:-0}
  fi
  __belay_ready=1
}

__belay_user_prompt=("${PROMPT_COMMAND[@]-}")
unset PROMPT_COMMAND
PROMPT_COMMAND=__belay_prompt

# A trap of yours goes on running, before ours.
__belay_user_trap=$(trap -p DEBUG)
if [ -n "$__belay_user_trap" ]; then
  __belay_user_trap=${__belay_user_trap#trap -- }
  __belay_user_trap=${__belay_user_trap% DEBUG}
  eval "__belay_user_trap=$__belay_user_trap"
  __belay_both() { eval "$__belay_user_trap"; __belay_debug; }
  trap '__belay_both "$_"' DEBUG
else
  trap '__belay_debug "$_"' DEBUG
fi
