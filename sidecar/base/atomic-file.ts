/** Whole-file writes that a crash cannot tear: a new file beside the old one, synced, then renamed over it. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setAside } from './set-aside.ts'

/** Creates missing folders (0700). The file's mode is 0600 unless named. Pieces of a large content are written as they come. */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  mode = 0o600,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const beside = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const handle = await open(beside, 'wx', mode)
    try {
      await writeFile(handle, content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (fault) {
    await rm(beside, { force: true })
    throw fault
  }
}

/** What kills left beside a file of writes that were under way. For who alone writes it now. */
export async function removeUnfinished(file: string): Promise<void> {
  const start = `.${basename(file)}.`
  const names = await readdir(dirname(file)).catch(() => [])
  const left = names.filter(name => name.startsWith(start) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(start.length)))
  await Promise.all(left.map(name => rm(join(dirname(file), name), { force: true })))
}

/** Rejects like `readFile`, and with EISDIR or EFBIG for what is no file, such as a pipe (it would be waited for), or too large. */
export async function readRegular(file: string, mostBytes: number): Promise<Buffer> {
  const facts = await stat(file)
  if (!facts.isFile()) throw Object.assign(new Error(`${file} is not a file`), { code: 'EISDIR' })
  if (facts.size > mostBytes) throw Object.assign(new Error(`${file} is too large`), { code: 'EFBIG' })
  return readFile(file)
}

/** More than any of Belay's own files comes to. */
const MOST_BYTES = 64_000_000

/**
 * The parsed content, or `fallback` where there is no file. One that cannot be read or parsed is put aside untouched, said, and
 * counts as missing. Throws only what the machine is to blame for (too many open files, a disk that fails).
 */
export async function readJson<T>(file: string, parse: (value: unknown) => T, fallback: T): Promise<T> {
  const read = await parsed(file, parse)
  if (read === 'broken') await setAside(file)
  return read === 'broken' || read === 'missing' ? fallback : read.value
}

/** The same for what can be made anew: a broken one is simply missing. */
export async function readRemade<T>(file: string, parse: (value: unknown) => T, fallback: T): Promise<T> {
  const read = await parsed(file, parse)
  return read === 'broken' || read === 'missing' ? fallback : read.value
}

/** What the file itself is to blame for: rights, its size, a folder or a ring of links in its place. */
const ofTheFile = new Set(['EACCES', 'EPERM', 'EISDIR', 'ELOOP', 'EFBIG'])

async function parsed<T>(file: string, parse: (value: unknown) => T): Promise<{ value: T } | 'missing' | 'broken'> {
  let text: string
  try {
    text = (await readRegular(file, MOST_BYTES)).toString('utf8')
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
    if (ofTheFile.has(code)) return 'broken'
    throw fault
  }
  try {
    return { value: parse(JSON.parse(text)) }
  } catch {
    return 'broken'
  }
}
