/** Where a person agreed to send their words and files. Agreeing to an address of their own counts for that address alone. */
import { z } from 'zod'
import { readJson, writeFileAtomic } from '../base/atomic-file.ts'
import type { Provider } from './provider.ts'

export interface Consents {
  has(provider: Pick<Provider, 'id' | 'custom'>): boolean
  add(provider: Pick<Provider, 'id' | 'custom'>): Promise<void>
  /** For every address it had. */
  remove(providerId: string): Promise<void>
}

export async function createConsents(file: string): Promise<Consents> {
  const said = new Set(await readJson(file, value => z.array(z.string()).parse(value), []))
  const save = () => writeFileAtomic(file, JSON.stringify([...said]))
  return {
    has: provider => said.has(nameOf(provider)),
    async add(provider) {
      said.add(nameOf(provider))
      await save()
    },
    async remove(providerId) {
      for (const name of said) if (name.split(' ', 1)[0] === providerId) said.delete(name)
      await save()
    },
  }
}

const nameOf = ({ id, custom }: Pick<Provider, 'id' | 'custom'>): string =>
  custom?.baseUrl && URL.canParse(custom.baseUrl) ? `${id} ${new URL(custom.baseUrl).origin}` : id
