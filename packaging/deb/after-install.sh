#!/bin/sh
# After `dpkg -i`: the command, the sandbox of the windows, and what the desktop knows of Belay.
set -e

app='/opt/${sanitizedProductName}'

# The command is the launcher, not the window's executable.
if command -v update-alternatives >/dev/null 2>&1; then
  update-alternatives --install '/usr/bin/${executable}' '${executable}' "$app/resources/bin/belay" 100
else
  ln -sf "$app/resources/bin/belay" '/usr/bin/${executable}'
fi

# The pages' sandbox takes user namespaces; where the kernel gives none to plain users, Chromium's helper needs its user bit.
mode=0755
for switch in kernel/unprivileged_userns_clone user/max_user_namespaces; do
  if [ "$(cat "/proc/sys/$switch" 2>/dev/null || echo 1)" = 0 ]; then mode=4755; fi
done
chmod "$mode" "$app/chrome-sandbox"

if command -v update-desktop-database >/dev/null 2>&1; then
  update-desktop-database /usr/share/applications || true
fi
if command -v gtk-update-icon-cache >/dev/null 2>&1; then
  gtk-update-icon-cache -q -t /usr/share/icons/hicolor || true
fi

# Where AppArmor forbids user namespaces to programs that it does not know (Ubuntu 24.04), it gets to know this one.
profile=/etc/apparmor.d/${executable}
if command -v apparmor_parser >/dev/null 2>&1 && apparmor_status --enabled >/dev/null 2>&1; then
  if apparmor_parser --skip-kernel-load "$app/resources/apparmor-profile" >/dev/null 2>&1; then
    cp -f "$app/resources/apparmor-profile" "$profile"
    if ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
      apparmor_parser --replace --write-cache --skip-read-cache "$profile" || true
    fi
  fi
fi
