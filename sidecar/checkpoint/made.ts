/** Names of what builds and tools make, where the ignore rules leave them out: it can be made again, and there is a lot of it. */

const folders = new Set([
  ...['build', 'dist', 'out', 'target', 'bin', 'obj', 'lib', 'release', 'debug', 'output', '_build', 'public'],
  ...['coverage', 'htmlcov', '.nyc_output', 'test-results', 'playwright-report', 'logs', 'log', 'tmp', 'temp'],
  ...['vendor', 'Pods', 'deps', '.bundle', '.eggs', '.terraform', '.dart_tool', 'elm-stuff', 'bazel-out', 'bazel-bin'],
  ...['.cache', '.output', '.nuxt', '.svelte-kit', '.angular', '.vite', '.docusaurus', '.ruff_cache', '.sass-cache'],
])
const endings =
  /\.(?:log|o|obj|lo|la|a|lib|so|dylib|dll|exe|pdb|class|jar|war|pyc|pyo|whl|egg|gem|beam|hi|gcda|gcno|tsbuildinfo|map|min\.js|swp|pid|sock|tmp|cache)$/i

export const isMade = (name: string): boolean => folders.has(name) || endings.test(name)
