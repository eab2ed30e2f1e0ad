/** Who may import whom. The lint rules and the matrix test are both read from here; so is the README's map. */
const s = name => `sidecar/${name}/`
const r = name => `src-renderer/${name}/`
const ports = 'sidecar/agent/ports.ts'
const leaf = [s('contract'), s('base')]
/** All but terminal, which lives in the pty host. */
const domain = [
  'agent',
  'model',
  'tools',
  'permission',
  'sandbox',
  'session',
  'checkpoint',
  'review',
  'workspace',
  'git',
  'language',
  'subagents',
  'settings',
  'engines',
  'mcp',
  'skills',
  'knowledge',
  'browser',
  'profile',
]
const table = ['src-renderer/features/feature.ts', 'src-renderer/features/commands.ts']
const own = names => Object.fromEntries(names.map(name => [s(name), leaf]))

module.exports.rooms = {
  [s('contract')]: [],
  /** Faults are everybody's words. */
  [s('base')]: [s('contract')],
  /** The core's sentences are looked up here as in main. */
  [r('ui')]: ['sidecar/contract/localize.ts'],
  [s('agent')]: leaf,
  ...Object.fromEntries(
    ['model', 'engines', 'mcp', 'skills', 'knowledge', 'browser', 'subagents'].map(n => [s(n), [...leaf, ports]]),
  ),
  [s('tools')]: [...leaf, ports, s('workspace'), s('language'), s('sandbox')],
  [s('git')]: [...leaf, s('workspace')],
  [s('permission')]: [...leaf, ports],
  [s('review')]: [...leaf, s('workspace')],
  ...own(['sandbox', 'workspace', 'terminal', 'language', 'settings', 'profile']),
  /** What is left out of sight is left out of snapshots: one set of rules. */
  [s('checkpoint')]: [...leaf, 'sidecar/workspace/ignore.ts', 'sidecar/workspace/left-out.ts'],
  [s('session')]: [...leaf, s('agent')],
  'sidecar/core.ts': [...leaf, s('core'), ...domain.map(s)],
  /** What composition ties that needs more than a line: of several rooms, and of none. */
  [s('core')]: [...leaf, ...domain.map(s)],
  [s('transport')]: leaf,
  [s('server')]: [...leaf, s('transport')],
  [s('supervise')]: [...leaf, s('transport')],
  [s('heads')]: leaf,
  'sidecar/entry/pty-host-process.ts': [...leaf, s('terminal'), s('server'), s('transport')],
  [s('entry')]: ['sidecar/core.ts', s('server'), s('transport'), s('supervise'), s('heads'), ...leaf],
  'src-preload/': [s('contract')],
  'src-main/': [...leaf, s('supervise'), s('server'), s('transport'), 'src-preload/'],
  [r('state/mirror')]: [s('contract')],
  [r('state/view')]: [s('contract')],
  [r('client')]: [s('contract'), r('state/mirror')],
  'src-renderer/features/feature.ts': [s('contract'), 'src-renderer/features/commands.ts'],
  'src-renderer/features/commands.ts': [s('contract')],
  'src-renderer/features/([^/]+)/': [
    s('contract'),
    r('client'),
    r('state/mirror'),
    r('state/view'),
    r('ui'),
    ...table,
    'src-renderer/features/$1/',
  ],
  [r('app')]: [s('contract'), r('client'), r('state/mirror'), r('state/view'), r('ui'), r('features')],
}
