/** What a jailed command sees of the person's environment: what a toolchain needs to be found, and never a key. */
import { posix } from 'node:path'

/** Who and where one is; nothing a secret would be kept in. */
const person = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'XDG_DATA_DIRS',
  'XDG_CONFIG_DIRS',
]

/** Where toolchains stand and how they compile: without these a command builds with another compiler than the person does. */
const toolchains = [
  ...[
    'JAVA_HOME',
    'GOROOT',
    'GOPATH',
    'GOBIN',
    'GOFLAGS',
    'GOTOOLCHAIN',
    'CARGO_HOME',
    'RUSTUP_HOME',
    'RUSTUP_TOOLCHAIN',
  ],
  ...['NVM_DIR', 'NVM_BIN', 'VOLTA_HOME', 'FNM_DIR', 'NODE_ENV', 'NODE_PATH', 'BUN_INSTALL', 'DENO_DIR', 'PNPM_HOME'],
  ...['PYENV_ROOT', 'PYENV_VERSION', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'CONDA_DEFAULT_ENV', 'PYTHONPATH', 'PIPX_HOME'],
  ...[
    'RBENV_ROOT',
    'GEM_HOME',
    'GEM_PATH',
    'BUNDLE_PATH',
    'PERL5LIB',
    'ANDROID_HOME',
    'ANDROID_SDK_ROOT',
    'DOTNET_ROOT',
  ],
  ...['MAVEN_HOME', 'M2_HOME', 'GRADLE_HOME', 'SDKMAN_DIR', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'SDKROOT'],
  ...['DEVELOPER_DIR', 'MACOSX_DEPLOYMENT_TARGET', 'HOMEBREW_PREFIX', 'HOMEBREW_CELLAR', 'NIX_PATH', 'NIX_PROFILES'],
  ...[
    'CC',
    'CXX',
    'CFLAGS',
    'CXXFLAGS',
    'CPPFLAGS',
    'LDFLAGS',
    'MAKEFLAGS',
    'CPATH',
    'LIBRARY_PATH',
    'LD_LIBRARY_PATH',
  ],
  ...['C_INCLUDE_PATH', 'CPLUS_INCLUDE_PATH', 'PKG_CONFIG_PATH', 'CMAKE_PREFIX_PATH', 'CI'],
]

/** Which certificates are believed: a company's own proxy signs with one. Files, not keys. */
const certificates = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'NIX_SSL_CERT_FILE']

const passed = new Set([...person, ...toolchains, ...certificates])
const isPassed = (name: string): boolean => passed.has(name) || name.startsWith('LC_')

/** Nothing opens a pager, an editor or a prompt: nobody would answer it. */
export const unattended = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
}

/** `temp`: a folder of the session that may be written; temporary files and caches go there. */
export function jailEnvironment(env: NodeJS.ProcessEnv, temp: string): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value !== undefined && isPassed(name) ? [[name, value]] : [],
  )
  const cache = posix.join(temp, 'cache')
  return {
    ...Object.fromEntries(kept),
    ...unattended,
    // The outermost bash whose input is a socket takes itself for a remote login and reads the person's rc files.
    SHLVL: '1',
    TMPDIR: temp,
    CLAUDE_CODE_TMPDIR: temp,
    XDG_CACHE_HOME: cache,
    npm_config_cache: posix.join(cache, 'npm'),
    npm_config_update_notifier: 'false',
    // Node's own fetch asks no proxy unless told to (Node 22 and later; older ones take no notice).
    NODE_USE_ENV_PROXY: '1',
  }
}

/** For a person who asks what a command sees. */
export const environmentNames = (env: NodeJS.ProcessEnv): string[] =>
  [...new Set([...Object.keys(env).filter(isPassed), ...Object.keys(jailEnvironment({}, '/'))])].sort()
