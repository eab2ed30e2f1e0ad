/** What Belay must know of a language server to run it: data, so that one more server is one more entry. */

/** How the program is found. Nothing is ever downloaded. */
export type Program =
  /** A JavaScript server of a package that Belay ships: runs on Belay's own Node. */
  | { readonly kind: 'package'; readonly package: string; readonly file: string; readonly args: readonly string[] }
  /** TypeScript 7, a native program inside a package of this platform. */
  | { readonly kind: 'typescript' }
  /** The first of these on the person's PATH, each with the arguments it wants. */
  | { readonly kind: 'path'; readonly commands: readonly (readonly [string, ...string[]])[] }
  /** Of the person's settings: the program and its arguments. */
  | { readonly kind: 'command'; readonly command: readonly string[] }

export interface ServerDefinition {
  readonly id: string
  /** As a person knows it. */
  readonly name: string
  readonly program: Program
  /** File endings with their dot, lower case, and the language each is told as. */
  readonly languages: Readonly<Record<string, string>>
  /** It runs code of the project (build scripts, plugins, configurations that are programs): full trust only. */
  readonly executesProjectCode: boolean
  /** The nearest folder above a file with one of these is its root; without any, the workspace folder is. */
  readonly rootMarkers: readonly string[]
  /** It serves only files below a marker, and beside another server: its silence holds up no verdict. */
  readonly extra?: boolean
  /** What a person does to have it. */
  readonly install: string
  readonly env?: Readonly<Record<string, string>>
  readonly initialization?: unknown
  /** Answers to `workspace/configuration`, by section. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Notifications without content that it awaits after `initialized`. */
  readonly afterInitialized?: readonly string[]
  /** Its checks are another program's: without it a silence of the server confirms nothing. */
  readonly checksWith?: { readonly program: string; readonly install: string }
  /** After a push of diagnostics, how long nothing more may come before it counts. 150 without it. */
  readonly settleMs?: number
  /** How long it waits itself before it looks at a change: what it says sooner is about an older text. 0 without it. */
  readonly looksAfterMs?: number
  /** What it says before this came is not to be trusted: it is still reading the project. `where`: as that says so. */
  readonly ready?: { readonly method: string; readonly where: { readonly field: string; readonly is: unknown } }
  /** Its first answer is not its last word: what it says of the same text afterwards is told too. */
  readonly saysMoreLater?: boolean
  /** It could be asked for diagnostics, and is not: it is better at telling them. */
  readonly pushes?: boolean
  /** It knows what names a file by its place: started for it where files are moved. */
  readonly followsMoves?: boolean
  /** Of the person's settings alone: Belay knows nothing of it. */
  readonly own?: boolean
  /** The person switched it off. */
  readonly off?: boolean
  /** It starts without this program, and knows nothing then. */
  readonly needs?: { readonly program: string; readonly install: string }
  /** A JDK of at least this version runs it. */
  readonly jdk?: number
}

/** The ending that decides about a file, lower case with its dot; '' for none. */
export function endingOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot).toLowerCase()
}

/** As the protocol names the language of a file that the server covers. */
export const languageOf = ({ languages }: ServerDefinition, absolute: string): string =>
  languages[endingOf(absolute)] ?? 'plaintext'
