/** Which encoding a person chose for a file that does not say its own; remembered, so that it is asked once. */
import { z } from 'zod'
import { Encoding } from '#contract/document'
import { readJson, writeFileAtomic } from '../../base/atomic-file.ts'
import type { Log } from '../../base/log.ts'
import { createSerial } from '../../base/serial.ts'
import { isUnicode, loadEncodings } from './other-encodings.ts'

const Kept = z.array(z.tuple([z.string(), Encoding]))
const MOST = 1000

export interface Choices {
  /** What can decode it is loaded then. */
  of(absolute: string): Promise<Encoding | null>
  /** A Unicode one needs no choice: it is forgotten. */
  keep(absolute: string, encoding: Encoding): void
  flush(): Promise<void>
}

export function createChoices(file: string, log: Log): Choices {
  const serial = createSerial()
  let reading: Promise<Map<string, Encoding>> | null = null
  const known = () => {
    reading ??= read(file)
    return reading
  }
  const change = async (absolute: string, encoding: Encoding): Promise<void> => {
    const all = await known()
    if (isUnicode(encoding) ? !all.delete(absolute) : all.get(absolute) === encoding) return
    if (!isUnicode(encoding)) all.set(absolute, encoding)
    for (const oldest of [...all.keys()].slice(0, -MOST)) all.delete(oldest)
    await writeFileAtomic(file, JSON.stringify([...all]))
  }
  return {
    async of(absolute) {
      const chosen = (await known()).get(absolute) ?? null
      if (chosen) await loadEncodings()
      return chosen
    },
    keep: (absolute, encoding) =>
      void serial(() => change(absolute, encoding)).catch(fault =>
        log('warn', 'The chosen encoding could not be remembered', { file: absolute, fault: String(fault) }),
      ),
    flush: () => serial.idle(),
  }
}

/** Without them it is asked again. */
const read = (file: string): Promise<Map<string, Encoding>> =>
  readJson(file, value => new Map(Kept.parse(value)), new Map()).catch(() => new Map())
