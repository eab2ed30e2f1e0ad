import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BlobId } from '#contract/id'
import { createBlobs } from './blobs.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-blobs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))
const newBlobs = () => createBlobs(folder, () => {})

describe('blobs', () => {
  it('are kept once and come back byte for byte, also in another process', async () => {
    const bytes = Buffer.from([0, 1, 2, 255, 10])
    const blobs = newBlobs()
    const ids = await Promise.all([blobs.keep(bytes), blobs.keep(bytes), newBlobs().keep(bytes)])
    expect(new Set(ids).size).toBe(1)
    expect(await readdir(folder)).toHaveLength(1)
    expect(await newBlobs().read(ids[0])).toEqual(bytes)
  })

  it('are null when gone or changed on disk, and can be kept again', async () => {
    const id = await newBlobs().keep(Buffer.from('whole'))
    await writeFile(join(folder, id.slice(4)), 'whale')
    expect(await newBlobs().read(id)).toBeNull()
    expect(await newBlobs().slice(id, 0, 10)).toBeNull()
    expect(await newBlobs().keep(Buffer.from('whole'))).toBe(id)
    expect(await newBlobs().read(id)).toEqual(Buffer.from('whole'))
    const gone = BlobId.parse(`blb_${'0'.repeat(64)}`)
    expect(await newBlobs().read(gone)).toBeNull()
    expect(await newBlobs().slice(gone, 0, 10)).toBeNull()
  })

  it('come in slices that join to the whole text, never within a character', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, length) => {
          const blobs = newBlobs()
          const whole = Buffer.from(text).toString('utf8')
          const id = await blobs.keep(Buffer.from(text))
          let read = ''
          for (let offset: number | null = 0; offset !== null; ) {
            const slice = await blobs.slice(id, offset, length)
            if (!slice) throw new Error('the slice is gone')
            read += slice.text
            expect(slice.bytes).toBe(Buffer.byteLength(text))
            offset = slice.nextOffset
          }
          expect(read).toBe(whole)
        },
      ),
      { numRuns: 40 },
    )
  })

  it.skipIf(process.getuid?.() === 0)('say that the folder may not be written', async () => {
    await chmod(folder, 0o500)
    await expect(newBlobs().keep(Buffer.from('x'))).rejects.toMatchObject({ code: 'read_only' })
    await chmod(folder, 0o700)
  })
})
