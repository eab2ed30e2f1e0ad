/**
 * The grammar of the shell, loaded when the first command is judged. A command that is too long, or takes too long to read,
 * has no tree: whoever asks must then take it for not understood.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Node, Parser } from 'web-tree-sitter'

export type ShellNode = Node

/** UTF-16 units. */
export const MAX_COMMAND_CHARS = 20_000
/** Generous: usual commands take less than one. Reading does not yield, so it must end. */
const BUDGET_MS = 200

/** Where `npm run build` copies them, from a file of `out/main` or of its `chunks`; else the packages themselves. */
export function grammarFile(name: 'web-tree-sitter.wasm' | 'tree-sitter-bash.wasm'): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = [join(here, 'grammar', name), join(here, '..', 'grammar', name)].find(file => existsSync(file))
  if (built) return built
  const inPackage = {
    'web-tree-sitter.wasm': 'web-tree-sitter',
    'tree-sitter-bash.wasm': '@vscode/tree-sitter-wasm/wasm',
  }
  return createRequire(import.meta.url).resolve(`${inPackage[name]}/${name}`)
}

const WARM = 'a=b c "d $e" \'f\' | g 2>&1 && h $(i) || { j; }; for k in l; do m; done <<N\nN\n'
let loading: Promise<Parser> | null = null

async function load(): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter')
  const [engine, bash] = await Promise.all([
    readFile(grammarFile('web-tree-sitter.wasm')),
    readFile(grammarFile('tree-sitter-bash.wasm')),
  ])
  await Parser.init({ wasmBinary: engine } as Parameters<typeof Parser.init>[0])
  const parser = new Parser()
  parser.setLanguage(await Language.load(bash))
  // The first reading compiles the grammar, which is no fault of that command.
  parser.parse(WARM)?.delete()
  return parser
}

/** A failed load is tried again at the next command. */
async function parserNow(): Promise<Parser> {
  loading ??= load().catch((fault: unknown) => {
    loading = null
    throw fault
  })
  return loading
}

/** What `use` makes of the tree, which lives no longer; null where there is none. Rejects when the grammar cannot be loaded. */
export async function withTree<T>(command: string, use: (root: ShellNode) => T): Promise<T | null> {
  if (command.length > MAX_COMMAND_CHARS) return null
  const parser = await parserNow()
  const deadline = performance.now() + BUDGET_MS
  const late = (): boolean => performance.now() > deadline
  const tree = parser.parse(command, null, { progressCallback: late })
  if (!tree) {
    parser.reset()
    return null
  }
  try {
    return use(tree.rootNode)
  } finally {
    tree.delete()
  }
}
