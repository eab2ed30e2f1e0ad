/** Whole-file writes that a crash cannot tear: a new file beside the old one, synced, then renamed over it. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

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

/** The parsed content, or `fallback` where the file is missing or broken. Other faults (permission) are thrown. */
export async function readJson<T>(file: string, parse: (value: unknown) => T, fallback: T): Promise<T> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return fallback
    throw fault
  }
  try {
    return parse(JSON.parse(text))
  } catch {
    return fallback
  }
}
