/** Where a machine keeps credentials: no command reads there, whatever the rules say. Absolute, existing or not. */
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Folders } from '../base/folders.ts'

/** Below the home folder. */
const everywhere = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.netrc', '_netrc', '.git-credentials', '.npmrc'],
  ...['.yarnrc', '.yarnrc.yml', '.pypirc', '.pgpass', '.my.cnf', '.vault-token', '.terraformrc', '.terraform.d'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.bundle/config', '.m2/settings.xml'],
  ...[
    '.gradle/gradle.properties',
    '.nuget/NuGet/NuGet.Config',
    '.composer/auth.json',
    '.boto',
    '.s3cfg',
    '.rclone.conf',
  ],
  ...['.config/gh', '.config/hub', '.config/glab-cli', '.config/git/credentials', '.config/gcloud', '.config/op'],
  ...[
    '.config/doctl',
    '.config/rclone',
    '.config/containers/auth.json',
    '.config/sops',
    '.config/helm',
    '.config/heroku',
  ],
  ...[
    '.password-store',
    '.1password',
    '.bitwarden',
    '.config/Bitwarden',
    '.config/1Password',
    '.claude',
    '.claude.json',
  ],
  ...[
    '.codex',
    '.gemini',
    '.config/github-copilot',
    '.bash_history',
    '.zsh_history',
    '.python_history',
    '.node_repl_history',
  ],
  ...['.psql_history', '.mysql_history', '.local/share/fish/fish_history'],
]

const linux = [
  ...['.mozilla', '.thunderbird', '.config/google-chrome', '.config/google-chrome-beta', '.config/chromium'],
  ...['.config/BraveSoftware', '.config/microsoft-edge', '.config/vivaldi', '.config/opera', '.librewolf'],
  ...['snap/firefox', 'snap/chromium', '.var/app', '.local/share/keyrings', '.local/share/kwalletd', '.pki'],
]

const mac = [
  ...['Library/Keychains', 'Library/Cookies', 'Library/Safari', 'Library/Mail', 'Library/Messages'],
  ...['Library/Application Support/Firefox', 'Library/Application Support/Google/Chrome'],
  ...['Library/Application Support/Chromium', 'Library/Application Support/BraveSoftware'],
  ...['Library/Application Support/Microsoft Edge', 'Library/Application Support/Vivaldi'],
  ...[
    'Library/Application Support/Arc',
    'Library/Application Support/1Password',
    'Library/Application Support/Bitwarden',
  ],
]

/** Belay runs as root in some containers: then these would be readable. */
const system = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d']

/** Belay's own folders are among them: keys, settings, logs of other sessions. `cache` is not: it holds nothing of a person. */
export function hiddenPlaces(home: string, folders: Folders, platform: NodeJS.Platform = process.platform): string[] {
  const below = [...everywhere, ...(platform === 'darwin' ? mac : linux)].map(name => join(home, name))
  const run = platform === 'linux' ? [`/run/user/${userInfo().uid}`] : []
  return [...below, ...run, ...system, folders.config, folders.data, folders.state]
}
