/** A migration for tests: files of numbers are doubled, one file is new and one is gone. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Migration } from './upgrade.ts'

export const doubled: Migration = {
  to: 2,
  async *changes({ data, config }) {
    for (const name of (await readdir(join(data, 'numbers'))).sort()) {
      const file = join(data, 'numbers', name)
      yield { file, content: `${2 * Number(await readFile(file, 'utf8'))}` }
    }
    yield { file: join(config, 'new.json'), content: 'new' }
    yield { file: join(config, 'old.json'), content: null }
  },
}
