/** `belay doctor`: prints what is here and what is not, in words. Exit 1 when something needed is missing. */
import { toFault } from '#contract/error'
import { foldersOf } from '../base/folders.ts'
import { buildStamp, versionWords } from '../supervise/build-stamp.ts'
import { examine, type Finding } from '../supervise/examine.ts'
import { version } from './version.ts'

const marks = { ok: 'ok     ', note: 'note   ', missing: 'MISSING' }

export async function main(args: string[]): Promise<number> {
  if (args.length > 0) {
    process.stderr.write(`belay doctor takes no words; “${args[0]}” is one. See “belay doctor --help”.\n`)
    return 1
  }
  const findings = [
    ...(await examine(foldersOf(), process.env)),
    await jailFinding(),
    ...(await serverFindings()),
    ...(await modelFindings()),
  ]
  const missing = findings.filter(each => each.state === 'missing').length
  const verdict = missing === 0 ? 'Belay can work here.' : `Belay cannot work properly here: ${missing} missing.`
  const lines = findings.map(each => `${marks[each.state]}  ${each.words}`)
  process.stdout.write(
    `${[`Belay ${versionWords(version, buildStamp(import.meta.dirname))}`, '', ...lines, '', verdict].join('\n')}\n`,
  )
  return missing === 0 ? 0 : 1
}

/** A command is really run in the jail, for that alone proves it. */
async function jailFinding(): Promise<Finding> {
  const { examineJail } = await import('../core.ts')
  const { state, errors, install } = await examineJail(foldersOf(), process.env)
  if (state === 'holds') return { state: 'ok', words: 'the jail for commands holds' }
  const how = install ? `; to have it, run: ${install}` : ''
  return { state: 'note', words: `no jail for commands: ${errors.join('; ')}${how}` }
}

/** One line for each language server. None is started. */
async function serverFindings(): Promise<Finding[]> {
  const { examineLanguageServers } = await import('../core.ts')
  const servers = await examineLanguageServers(process.env)
  return servers.map(({ name, version, problem, executesProjectCode }): Finding => {
    if (problem !== null) return { state: 'note', words: `language server: ${problem}` }
    const trust = executesProjectCode ? ', in folders that are trusted in full' : ''
    return { state: 'ok', words: `language server: ${name}${version === null ? '' : ` ${version}`}${trust}` }
  })
}

/** One line for each account. Only those that a person agreed to are asked, and for the list of their models alone. */
async function modelFindings(): Promise<Finding[]> {
  const { withCore } = await import('./headless-core.ts')
  return withCore('run', undefined, async ({ client }) => {
    const { providers } = await client.model.list({ refresh: false })
    const accounts = providers.filter(({ source, state }) => source !== 'builtin' && state === 'ready')
    if (accounts.length === 0)
      return [
        { state: 'note', words: 'no model: the built-in guide answers; set a key in the environment or in Belay' },
      ]
    return Promise.all(
      accounts.map(async ({ provider, label, note, consented }): Promise<Finding> => {
        if (!consented)
          return { state: 'ok', words: `model: ${label} (${note}); not asked, since you have not agreed to it` }
        try {
          const { count } = await client.model.refresh({ provider })
          return { state: 'ok', words: `model: ${label} answers (${count} models)` }
        } catch (thrown) {
          return { state: 'note', words: `model: ${label} (${note}): ${toFault(thrown).message}` }
        }
      }),
    )
  })
}
