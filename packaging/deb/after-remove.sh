#!/bin/sh
# After removal: the command and what AppArmor was told. An upgrade keeps both.
set -e

case ${1:-remove} in upgrade | failed-upgrade) exit 0 ;; esac

if command -v update-alternatives >/dev/null 2>&1; then
  update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/resources/bin/belay' || true
else
  rm -f '/usr/bin/${executable}'
fi

profile=/etc/apparmor.d/${executable}
if [ -f "$profile" ]; then
  if command -v apparmor_parser >/dev/null 2>&1 && ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --remove "$profile" 2>/dev/null || true
  fi
  rm -f "$profile"
fi
