/** `belay doctor`: prints what is here and what is not, in words. Exit 1 when something needed is missing. */
import { foldersOf } from '../base/folders.ts'
import { examine } from '../supervise/examine.ts'
import { version } from './version.ts'

const marks = { ok: 'ok     ', note: 'note   ', missing: 'MISSING' }

export async function main(_args: string[]): Promise<number> {
  const findings = await examine(foldersOf(), process.env)
  const missing = findings.filter(each => each.state === 'missing').length
  const verdict = missing === 0 ? 'Belay can work here.' : `Belay cannot work properly here: ${missing} missing.`
  const lines = findings.map(each => `${marks[each.state]}  ${each.words}`)
  process.stdout.write(`${[`Belay ${version}`, '', ...lines, '', verdict].join('\n')}\n`)
  return missing === 0 ? 0 : 1
}
