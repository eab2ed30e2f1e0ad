/** `belay web`: opens the browser form, or a window in the one that runs on this profile already. Ctrl-C ends everything. */
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import { endSignals } from '../base/end-signals.ts'
import { foldersOf } from '../base/folders.ts'
import { acquireLock } from '../base/lock-file.ts'
import { createLog } from '../base/log.ts'
import { setAsideInWords, setAsides } from '../base/set-aside.ts'
import { createPassword } from '../server/password.ts'
import { readSecretFile } from '../server/secret-file.ts'
import { readTlsFiles } from '../server/tls-files.ts'
import { askLivingInstance, type OpenAnswer } from '../supervise/control.ts'
import { folderArgument } from '../supervise/folder-argument.ts'
import { openInstance } from '../supervise/instance.ts'
import { openProfile } from '../supervise/profile/open-profile.ts'
import { version } from './version.ts'
import { ONLY_HERE, parseWebArguments, type WebArguments, webHelp } from './web-arguments.ts'
import { type Door, startWebForm, type WebForm } from './web-form.ts'

const END_TIMEOUT_MS = 10_000

/** Throws in words for the person. */
export async function main(args: string[], face: 'web' | 'serve' = 'web'): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(webHelp(face))
    return 0
  }
  const given = parseWebArguments(args, face)
  const { port, open } = given
  const folder = given.folder === null ? null : await folderArgument(given.folder, process.cwd())
  const door = await openDoor(given)
  const folders = foldersOf()
  const asked = new Promise<number>(resolve => {
    for (const [name, code] of Object.entries(endSignals)) process.on(name, () => resolve(code))
  })
  setAsides.on(found => void process.stderr.write(`belay: ${setAsideInWords(found)}\n`))
  await openProfile(folders, version)
  const instance = await openInstance({ stateDir: folders.state, kind: 'web', version })
  const lock = await acquireLock(join(folders.state, 'web.lock'), { instanceId: instance.id, what: 'belay web' })
  if ('heldBy' in lock) {
    await instance.close()
    if (face === 'serve') throw new BelayError('busy', running(lock.heldBy.pid))
    const answer = await askLivingInstance(folders.state, lock.heldBy.instanceId, { folder, open })
    if (!answer) throw new BelayError('busy', silent(lock.heldBy.pid))
    return tell(answer, `Belay runs already${unchanged(given)}`)
  }
  try {
    const served = face === 'serve' ? { folder } : undefined
    const of = { instance, folders, port, door, version, env: process.env, served }
    const form = await startWebForm({ ...of, log: createLog('web') })
    tell(await form.openWindow({ folder, open }), 'Belay runs')
    if (form.programs)
      process.stdout.write(`Programs ask at ${form.programs.url}/run; their token is in ${form.programs.tokenFrom}.\n`)
    return await ended(form, asked)
  } finally {
    await lock.release()
  }
}

/** Everything that was named is read and checked before anything is started. */
async function openDoor({ host, tls, passwordFile }: WebArguments): Promise<Door> {
  const password = passwordFile && (await createPassword(await readSecretFile(passwordFile, 'password')))
  return { address: host, tls: tls && (await readTlsFiles(tls)), password: password || null }
}

/** What was asked of a start that was none. */
function unchanged({ port, host, tls, passwordFile }: WebArguments): string {
  if (tls || passwordFile || host !== ONLY_HERE)
    return ' (where it listens and whom it lets in stay as they are: end it first to change that)'
  return port === 0 ? '' : ' (its port stays as it is)'
}

async function ended(form: WebForm, asked: Promise<number>): Promise<number> {
  const code = await asked
  setTimeout(() => process.exit(code), END_TIMEOUT_MS).unref()
  await form.stop()
  return code
}

function tell({ url, shown }: OpenAnswer, what: string): number {
  const where = { window: ' in a window of its own', browser: ' in your browser', none: '' }[shown]
  const link = `${shown === 'none' ? 'open' : 'for another one open'} ${url} within a minute (each link opens one window)`
  process.stdout.write(`${what}${where}; ${link}; a second start prints a fresh link; Ctrl-C ends Belay.\n`)
  return 0
}

const running = (pid: number) =>
  `Belay runs already (process ${pid}) and does not answer programs. Nothing was started; end it, then start “belay serve”.`
const silent = (pid: number) =>
  `Belay runs already (process ${pid}) but does not answer, so no window was opened. End that process and start again.`
