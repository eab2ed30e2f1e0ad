/** dependency-cruiser's rules, generated from the table of rooms. */
const { rooms } = require('./rooms.cjs')

const error = rule => ({ severity: 'error', ...rule })
/** A single file that is a room of its own (core.ts, entry/pty-host-process.ts) is not judged by the folder it stands in. */
const filesWithin = room =>
  Object.keys(rooms).filter(name => name.endsWith('.ts') && name !== room && name.startsWith(room))
const tests = '[.](test|case)[.]tsx?$'

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, allowed]) =>
      error({
        name: `room ${room}`,
        comment: `${room} may import only itself and: ${allowed.join(', ') || 'nothing of ours'}`,
        from: { path: `^${room}`, pathNot: [tests, ...filesWithin(room).map(file => `^${file}`)] },
        to: {
          path: '^(sidecar|src-)',
          pathNot: [room.includes('(') ? '^$' : `^${room}`, ...allowed.map(name => `^${name}`)],
        },
      }),
    ),
    error({ name: 'no cycles', from: {}, to: { circular: true } }),
    error({
      name: 'everything resolves',
      from: {},
      to: { couldNotResolve: true, pathNot: '[?](worker|raw|url|inline)' },
    }),
    error({
      name: 'electron stays home',
      from: { path: '^(sidecar|src-)', pathNot: '^src-(main|preload)/' },
      to: { path: '^(node_modules/)?electron(/|$)' },
    }),
    error({
      name: 'no node here',
      from: { path: '^(src-renderer|sidecar/contract)/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    }),
    error({
      name: 'contract knows zod',
      from: { path: '^sidecar/contract/', pathNot: tests },
      to: { path: 'node_modules/', pathNot: 'node_modules/(zod|vscode-jsonrpc)/' },
    }),
    error({
      name: 'mirrors are written by client',
      from: { path: '^src-', pathNot: ['^src-renderer/(client|state/mirror)/', tests] },
      to: { path: '^src-renderer/state/mirror/.+-store[.]ts' },
    }),
    error({
      name: 'one alias to the contract',
      from: { path: '^sidecar/contract/' },
      to: { path: '^(src-|sidecar/(?!contract/))' },
    }),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'browser', 'types', 'default'],
    },
  },
}
