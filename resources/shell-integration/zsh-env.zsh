# Belay's shell integration for zsh, first of three: your own .zshenv, from where you keep it.
__belay_zdotdir=$ZDOTDIR
ZDOTDIR=${BELAY_USER_ZDOTDIR:-$HOME}
if [[ -f $ZDOTDIR/.zshenv ]]; then
  . $ZDOTDIR/.zshenv
fi
BELAY_USER_ZDOTDIR=$ZDOTDIR
if [[ -o interactive && -n ${BELAY_NONCE-} ]]; then
  ZDOTDIR=$__belay_zdotdir
else
  unset BELAY_USER_ZDOTDIR
fi
