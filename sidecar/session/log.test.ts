import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeRecord, encodeRecord, type LogRecord } from '../base/record.ts'
import { createLogFile, type LogHandle, openLog, readLog } from './log.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-log-'))
  file = join(folder, 'log.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const readAll = async (): Promise<{ values: (LogRecord | null)[]; end: number }> => {
  const values: (LogRecord | null)[] = []
  let end = 0
  for await (const step of readLog(file)) {
    values.push(...step.records.map(record => record.value))
    end = step.end
  }
  return { values, end }
}
const record = (n: number): LogRecord => ({ v: 1, seq: n, text: 'é\n😀'.repeat(n % 7) })
const writeAll = async (...records: LogRecord[]): Promise<number> => {
  const log = await openLog(file, 0)
  for (const each of records) await log.append(encodeRecord(each), true)
  await log.close()
  return log.bytes
}

describe('a record', () => {
  it('comes back as it was, whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        const line = encodeRecord(value)
        expect(decodeRecord(line.subarray(0, -1))).toEqual(JSON.parse(JSON.stringify(value)))
        expect(line.indexOf(10)).toBe(line.length - 1)
      }),
    )
  })

  it('is not believed after any one byte of it changed', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (value, at, by) => {
          const line = encodeRecord(value).subarray(0, -1)
          const index = at % line.length
          line[index] = (line[index] ?? 0) ^ by
          expect(decodeRecord(line)).toBeNull()
        },
      ),
    )
  })
})

describe('reading', () => {
  it('answers nothing for a missing file', async () => {
    expect(await readAll()).toEqual({ values: [], end: 0 })
  })

  it('answers records longer and shorter than a step, in order', async () => {
    const records = [
      record(1),
      { v: 1, seq: 2, text: 'x'.repeat(700_000) },
      ...Array.from({ length: 5000 }, (_, n) => record(n)),
    ]
    await writeFile(file, Buffer.concat(records.map(encodeRecord)))
    const { values, end } = await readAll()
    expect(values).toEqual(records)
    expect(end).toBe((await stat(file)).size)
  })

  it('keeps later records when lines between them are damaged', async () => {
    const lines = [1, 2, 3, 4].map(n => encodeRecord(record(n)))
    lines[1]?.fill(0, 20, 24)
    await writeFile(file, Buffer.concat([...lines, Buffer.from('not a record\n'), encodeRecord(record(5))]))
    const { values } = await readAll()
    expect(values).toEqual([record(1), null, record(3), record(4), null, record(5)])
  })
})

describe('opening', () => {
  it('cuts a torn end off at every byte, keeps it aside, and goes on appending', async () => {
    const whole = await writeAll(record(1), record(2))
    const torn = encodeRecord(record(3))
    for (const bytes of [1, 9, 18, torn.length - 1]) {
      await appendFile(file, torn.subarray(0, bytes))
      const { values, end } = await readAll()
      expect({ values, end }).toEqual({ values: [record(1), record(2)], end: whole })
      const log = await openLog(file, end)
      await log.close()
      expect((await stat(file)).size).toBe(whole)
      expect((await readFile(`${file}.torn`)).includes(torn.subarray(0, bytes))).toBe(true)
    }
    const log = await openLog(file, whole)
    await log.append(encodeRecord(record(4)), true)
    await log.close()
    expect((await readAll()).values).toEqual([record(1), record(2), record(4)])
  })
})

describe('a disk that refuses', () => {
  /** Refuses when told, after having written half of what it was given, as real ones do. */
  const refusing = async (): Promise<{ handle: LogHandle; refuse: { code: string | null; truncate: boolean } }> => {
    const real = await open(file, 'w+')
    const refuse = { code: null as string | null, truncate: false }
    const fault = (): never => {
      throw Object.assign(new Error(`${refuse.code}: refused`), { code: refuse.code })
    }
    const handle = {
      write: async (buffer: Buffer, offset: number, length: number, position: number) => {
        if (refuse.code === null) return real.write(buffer, offset, length, position)
        await real.write(buffer, offset, Math.floor(length / 2), position)
        return fault()
      },
      truncate: async (length: number) => (refuse.truncate ? fault() : real.truncate(length)),
      datasync: () => real.datasync(),
      close: () => real.close(),
    } as unknown as LogHandle
    return { handle, refuse }
  }

  it.each([
    ['ENOSPC', 'disk_full', 'The disk is full.'],
    ['EDQUOT', 'disk_full', 'The disk is full.'],
    ['EROFS', 'read_only', 'may not write'],
    ['EIO', 'internal', 'could not be written'],
  ])('%s is said as %s, leaves no trace, and is over when it is over', async (system, code, words) => {
    const { handle, refuse } = await refusing()
    const log = createLogFile(handle, 0)
    await log.append(encodeRecord(record(1)), true)
    const before = log.bytes
    refuse.code = system
    for (const truncate of [false, true]) {
      refuse.truncate = truncate
      await expect(log.append(encodeRecord(record(2)), true)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(new RegExp(`${words}.*Everything before it is kept`, 's')),
      })
      expect(log.bytes).toBe(before)
    }
    refuse.code = null
    refuse.truncate = false
    await log.append(encodeRecord(record(3)), true)
    await log.close()
    expect((await readAll()).values).toEqual([record(1), record(3)])
  })
})

describe('a real full disk', () => {
  const asRoot = process.getuid?.() === 0 && process.platform === 'linux'
  it.runIf(asRoot)('keeps what was acknowledged and is appendable once there is space again', async () => {
    const disk = join(folder, 'disk')
    execFileSync('mkdir', [disk])
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', disk], { stdio: 'ignore' })
    } catch {
      // A container without the right to mount: the refusing handle above stands in.
      return
    }
    try {
      file = join(disk, 'log.jsonl')
      await writeFile(join(disk, 'ballast'), Buffer.alloc(128 * 1024))
      const log = await openLog(file, 0)
      const kept: LogRecord[] = []
      let fault: unknown = null
      for (let n = 1; fault === null && n < 100; n++) {
        const next = { v: 1, seq: n, text: 'x'.repeat(9000) }
        await log.append(encodeRecord(next), true).then(
          () => kept.push(next),
          refused => {
            fault = refused
          },
        )
      }
      expect(fault).toMatchObject({ code: 'disk_full' })
      expect((await readAll()).values).toEqual(kept)
      await rm(join(disk, 'ballast'))
      const next = { v: 1, seq: 1000, text: 'x'.repeat(9000) }
      await log.append(encodeRecord(next), true)
      await log.close()
      expect((await readAll()).values).toEqual([...kept, next])
    } finally {
      execFileSync('umount', [disk])
    }
  })
})

describe('the event loop', () => {
  it('is not held while a long log is read', async () => {
    await writeFile(
      file,
      Buffer.concat(Array.from({ length: 15_000 }, (_, n) => encodeRecord({ v: 1, seq: n, text: 'word '.repeat(60) }))),
    )
    let steps = 0
    for await (const { records } of readLog(file)) {
      steps++
      expect(records.length).toBeLessThan(2000)
    }
    expect(steps).toBeGreaterThan(10)
  })
})
