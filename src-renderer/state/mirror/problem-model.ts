/** What servers find wrong, file by file, and what follows for folders. Pure. Hints are left out: they are for the text alone. */
import type { FileProblems, Problem } from '#contract/language-problems'
import { type AnyPath, parentPath, pathKey } from '#contract/path'

export interface ProblemCount {
  readonly error: number
  readonly warning: number
  readonly info: number
}

/** One of a file's problems. `id` stays while what is said and where it stands stay. */
export interface ListedProblem {
  readonly id: string
  readonly problem: Problem
}

/** What all servers say of one file. */
export interface ProblemFile {
  readonly path: AnyPath
  readonly key: string
  /** True, also where fewer are listed. */
  readonly count: ProblemCount
  /** The gravest first, then in the order of the text. */
  readonly listed: readonly ListedProblem[]
}

export interface Problems {
  /** By server and file, as the core tells them. */
  readonly entries: ReadonlyMap<string, FileProblems>
  /** By `pathKey`: every file that a server spoke of, clean ones too. */
  readonly files: ReadonlyMap<string, ProblemFile>
}

export const noProblems: Problems = { entries: new Map(), files: new Map() }
export const nothing: ProblemCount = { error: 0, warning: 0, info: 0 }

const gravity = { error: 0, warning: 1, info: 2, hint: 3 }

/** The newest entry of a server and a file is the whole of it. */
export function withEntries(before: Problems, told: readonly FileProblems[]): Problems {
  if (told.length === 0) return before
  const entries = new Map(before.entries)
  const touched = new Map<string, AnyPath>()
  for (const entry of told) {
    const key = pathKey(entry.path)
    entries.set(`${entry.serverId}\0${key}`, entry)
    touched.set(key, entry.path)
  }
  const byFile = new Map<string, FileProblems[]>([...touched.keys()].map(key => [key, []]))
  for (const entry of entries.values()) byFile.get(pathKey(entry.path))?.push(entry)
  const files = new Map(before.files)
  for (const [key, path] of touched) files.set(key, fileOf(path, key, byFile.get(key) ?? []))
  return { entries, files }
}

function fileOf(path: AnyPath, key: string, entries: readonly FileProblems[]): ProblemFile {
  const problems = entries
    .flatMap(entry => entry.problems)
    .filter(({ severity }) => severity !== 'hint')
    .sort((a, b) => gravity[a.severity] - gravity[b.severity] || comparePlaces(a, b))
  const seen = new Map<string, number>()
  const listed = problems.map((problem): ListedProblem => {
    const { range, severity, source, code, message } = problem
    const name = `${range.start.line}:${range.start.character} ${severity} ${source} ${code ?? ''} ${message}`
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return { id: `${name}\0${before}`, problem }
  })
  return { path, key, count: entries.map(({ counts }) => counts).reduce(sum, nothing), listed }
}

export const comparePlaces = (a: Problem, b: Problem): number =>
  a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character

const sum = (a: ProblemCount, b: ProblemCount): ProblemCount => ({
  error: a.error + b.error,
  warning: a.warning + b.warning,
  info: a.info + b.info,
})

export const totalOf = (files: Iterable<ProblemFile>): ProblemCount =>
  [...files].map(({ count }) => count).reduce(sum, nothing)

/** By `pathKey`: files with errors or warnings, and the folders above them with the sums. */
export function problemMarksOf(files: Iterable<ProblemFile>): Map<string, ProblemCount> {
  const marks = new Map<string, ProblemCount>()
  for (const { path, key, count } of files) {
    if (count.error + count.warning === 0) continue
    marks.set(key, count)
    if ('uri' in path) continue
    for (let at = path.path; at !== ''; ) {
      at = parentPath(at)
      const above = pathKey({ rootId: path.rootId, path: at })
      marks.set(above, sum(marks.get(above) ?? nothing, count))
    }
  }
  return marks
}
