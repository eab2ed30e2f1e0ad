# Belay's shell integration for zsh, second of three: your own .zprofile, in login shells.
ZDOTDIR=$BELAY_USER_ZDOTDIR
if [[ -f $ZDOTDIR/.zprofile ]]; then
  . $ZDOTDIR/.zprofile
fi
BELAY_USER_ZDOTDIR=$ZDOTDIR
ZDOTDIR=$__belay_zdotdir
