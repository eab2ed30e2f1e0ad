/** The outline of a file: what it declares and where, found line by line. Says names that stand in the text and nothing else. */

export interface OutlineEntry {
  /** 1-based. */
  readonly line: number
  readonly name: string
  readonly what: string
}

type Rule = readonly [what: string, pattern: RegExp]

const script: readonly Rule[] = [
  ['class', /^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+([\w$]+)/],
  ['class', /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*=\s*class\b/],
  ['interface', /^(?:export\s+)?(?:declare\s+)?interface\s+([\w$]+)/],
  ['type', /^(?:export\s+)?(?:declare\s+)?type\s+([\w$]+)/],
  ['enum', /^(?:export\s+)?(?:const\s+)?enum\s+([\w$]+)/],
  ['function', /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/],
  ['constant', /^export\s+(?:const|let|var)\s+([\w$]+)/],
  ['function', /^(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*(?::[^=]+)?=>/],
]
const languages: readonly (readonly [endings: RegExp, rules: readonly Rule[]])[] = [
  [/\.([cm]?[jt]sx?|vue|svelte)$/i, script],
  [
    /\.pyi?$/i,
    [
      ['class', /^\s*class\s+(\w+)/],
      ['function', /^\s*(?:async\s+)?def\s+(\w+)/],
    ],
  ],
  [
    /\.go$/i,
    [
      ['function', /^func\s+(?:\([^)]*\)\s*)?(\w+)/],
      ['type', /^type\s+(\w+)/],
    ],
  ],
  [
    /\.rs$/i,
    [
      ['function', /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/],
      ['type', /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|type|mod)\s+(\w+)/],
    ],
  ],
  [
    /\.(java|kt|cs|swift|scala)$/i,
    [
      ['type', /^\s*(?:[\w@]+\s+)*(?:class|interface|enum|record|struct|object|protocol)\s+(\w+)/],
      ['function', /^\s*(?:[\w<>[\],?@]+\s+)*(?:fun|func)\s+(\w+)/],
    ],
  ],
  [
    /\.(c|h|cc|cpp|hpp)$/i,
    [
      ['type', /^(?:typedef\s+)?(?:struct|class|enum|union|namespace)\s+(\w+)/],
      ['function', /^[\w*&:<>\s]+?\b(\w+)\s*\([^;]*\)\s*(?:const\s*)?\{?\s*$/],
    ],
  ],
  [
    /\.(rb)$/i,
    [
      ['class', /^\s*(?:class|module)\s+([\w:]+)/],
      ['method', /^\s*def\s+([\w.?!]+)/],
    ],
  ],
  [/\.(sh|bash|zsh)$/i, [['function', /^\s*(?:function\s+)?([\w-]+)\s*\(\)/]]],
  [/\.(md|mdx|markdown)$/i, [['heading', /^#{1,4}\s+(.+?)\s*#*$/]]],
  [/\.(css|scss|less)$/i, [['rule', /^([^\s{}@/][^{}]*?)\s*\{/]]],
  [/\.(ya?ml)$/i, [['key', /^([\w.-]+):/]]],
  [/\.(toml|ini|cfg)$/i, [['section', /^\[+([^\]]+)\]+/]]],
]

/** At most `limit` entries in the order of the file; an unknown kind of file has none. */
export function outlineOf(file: string, lines: readonly string[], limit = 40): OutlineEntry[] {
  const json = /\.jsonc?$/i.test(file)
  const rules: readonly Rule[] = json
    ? [['key', /^ {2}"([^"]+)"\s*:/]]
    : (languages.find(([endings]) => endings.test(file))?.[1] ?? [])
  const entries: OutlineEntry[] = []
  for (const [index, line] of lines.entries()) {
    if (entries.length >= limit) break
    for (const [what, pattern] of rules) {
      const name = pattern.exec(line)?.[1]
      if (!name || /^(if|for|while|switch|return|else)$/.test(name)) continue
      entries.push({ line: index + 1, name: name.slice(0, 120), what })
      break
    }
  }
  return entries
}
