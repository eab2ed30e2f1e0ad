/**
 * Places that are decided by their name, whether they exist or not. Compared the way file systems do that are careless
 * about names: without case, trailing dots, streams, and characters that nobody sees.
 */

/**
 * In lower case. Whoever may write here can make something run later, switch off what watches over the agent, or speak to it in
 * every later conversation.
 */
export const protectedNames: ReadonlySet<string> = new Set([
  ...['.belay', '.mcp.json', '.vscode', '.idea', '.claude', '.cursor', '.devcontainer', '.zed', '.fleet'],
  ...['.git', '.gitmodules', '.gitconfig', '.husky', '.pre-commit-config.yaml', 'lefthook.yml', 'lefthook.yaml'],
  ...['.envrc', '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.inputrc'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login', '.xprofile'],
  ...[
    'config.fish',
    'profile.ps1',
    'microsoft.powershell_profile.ps1',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
  ],
  ...[
    '.gitlab-ci.yml',
    '.travis.yml',
    '.circleci',
    '.buildkite',
    '.woodpecker',
    '.woodpecker.yml',
    '.drone.yml',
    '.ci',
  ],
  ...[
    'jenkinsfile',
    'azure-pipelines.yml',
    'bitbucket-pipelines.yml',
    'appveyor.yml',
    '.appveyor.yml',
    '.ssh',
    '.gnupg',
  ],
  ...['agents.md', 'claude.md'],
])
/** Two names deep, because the folder above holds harmless things too. */
export const protectedPairs: ReadonlySet<string> = new Set([
  '.github/workflows',
  '.github/actions',
  '.gitea/workflows',
  '.forgejo/workflows',
])
/** Names that Windows gives long ones as a second name: `GIT~1` is `.git`. */
const shortName = /^(?:git|belay|vscode|idea|claude|husky|mcp|cursor|bashrc?|envrc?|github)[0-9a-f]{0,4}~\d+/

const secretNames =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|_netrc|\.pgpass|\.git-credentials|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|p12|pfx|keystore|jks))$/
/** The same for people: `*` stands for anything. */
export const secretNamePatterns: readonly string[] = [
  ...['.env', '.env.*', '.envrc', '.netrc', '_netrc', '.pgpass', '.git-credentials', '.htpasswd'],
  ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', '*.pem', '*.p12', '*.pfx', '*.keystore', '*.jks'],
]
const harmlessNames = /^\.env\.(?:example|sample|template|dist|defaults?|schema)$/
const secretFolders = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker'])

/** What a careless file system takes a name for. */
function folded(name: string): string {
  const visible = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const plain = visible.replace(/:.*$/s, '').replace(/[. ]+$/, '')
  return plain.toUpperCase().toLowerCase()
}

const partsOf = (path: string): string[] => path.split(/[\\/]/).filter(Boolean).map(folded)

const isProtected = (part: string): boolean =>
  protectedNames.has(part) || shortName.test(part) || part.endsWith('.code-workspace')

/** Whether a file or folder of this name is protected wherever it stands. Pairs are another question. */
export const isProtectedName = (name: string): boolean => isProtected(folded(name))

/** Whether a file of this name, in a folder of that name, likely holds a secret wherever that stands. */
export const isSecretFile = (name: string, folder = ''): boolean => {
  const known = folded(name)
  if (known === 'config.json' && folded(folder) === '.docker') return true
  return secretNames.test(known) && !harmlessNames.test(known)
}

/** Whether all that stands in a folder of this name likely is secret; in `.docker` many projects keep what builds them. */
export const isSecretFolder = (name: string): boolean => {
  const known = folded(name)
  return secretFolders.has(known) && known !== '.docker'
}

/** The part of the path that makes it a protected place, as a person knows it; null for any other path. */
export function protectedPart(path: string): string | null {
  const parts = partsOf(path)
  for (const [index, part] of parts.entries()) {
    if (isProtected(part)) return part
    const pair = `${part}/${parts[index + 1] ?? ''}`
    if (protectedPairs.has(pair)) return pair
  }
  return null
}

/** The part of the path that likely holds a secret; null for any other path. */
export function secretPart(path: string): string | null {
  const parts = partsOf(path)
  const name = parts.at(-1) ?? ''
  if (isSecretFile(name)) return name
  return parts.slice(0, -1).find(part => secretFolders.has(part)) ?? (secretFolders.has(name) ? name : null)
}
