/** Gets what the tests need beyond npm: Debian packages when root, otherwise the one line to run. Fails when something stays missing. */
import { spawnSync } from 'node:child_process'

/** Program -> the Debian package that brings it. */
const needed = {
  chromium: 'chromium',
  git: 'git',
  bash: 'bash',
  openssl: 'openssl',
  clangd: 'clangd',
  shellcheck: 'shellcheck',
  jq: 'jq',
  ...(process.platform === 'linux' ? { bwrap: 'bubblewrap', socat: 'socat' } : {}),
}

const has = program => spawnSync('sh', ['-c', `command -v ${program}`], { timeout: 5000 }).status === 0
const missing = () => Object.keys(needed).filter(program => !has(program))

export function setUpTests() {
  const packages = missing().map(program => needed[program])
  if (packages.length === 0) return true
  const install = [
    'apt-get',
    'install',
    '-y',
    '--no-install-recommends',
    '-o',
    'DPkg::Lock::Timeout=300',
    ...packages,
    'fonts-noto-cjk',
  ]
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !has('apt-get')) {
    console.error(`The tests need: ${packages.join(', ')}. On Debian or Ubuntu run:\n  sudo ${install.join(' ')}`)
    return false
  }
  console.log(`Installing for the tests: ${packages.join(', ')}`)
  const options = { stdio: 'inherit', timeout: 900_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq', '-o', 'DPkg::Lock::Timeout=300'], options)
  spawnSync(install[0], install.slice(1), options)
  const still = missing()
  if (still.length > 0) console.error(`Still missing after the installation: ${still.join(', ')}`)
  return still.length === 0
}
