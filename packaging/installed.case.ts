/** What a package does where it is installed: the command, the servers, the children, a terminal; on an executable that is Node only where it is told so. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { beforeAll, expect, test } from 'vitest'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node'
import manifest from '../package.json' with { type: 'json' }
import { OPENED_A_WINDOW } from '../sidecar/base/app-executable.case.ts'
import { shippedServers } from '../sidecar/language/registry.ts'
import { shellCommand } from '../sidecar/supervise/shell-command.ts'
import type { Packed } from './packed.case.ts'
import { stamp } from './stamp.ts'

/**
 * As plain Node can run it: Node reads no archives, so a folder of the archive's name holds what lies in it. What lies beside it is
 * there as in the archive: by name alone, of no use to whoever does not look beside it.
 */
function install(app: string, archive: string): void {
  const folder = `${archive}.folder`
  for (const file of listPackage(archive, { isPack: false }).map(each => each.slice(1))) {
    const entry = statFile(archive, file) as { unpacked?: boolean; size?: number }
    if (entry.size === undefined) continue
    const at = join(folder, file)
    mkdirSync(dirname(at), { recursive: true })
    if (!entry.unpacked) writeFileSync(at, extractFile(archive, file))
    // Electron loads these two from beside the archive whoever asks.
    else if (file.endsWith('.node')) symlinkSync(relative(dirname(at), join(`${archive}.unpacked`, file)), at)
    else if (file.endsWith('/package.json')) cpSync(join(`${archive}.unpacked`, file), at)
    else writeFileSync(at, '')
  }
  renameSync(archive, join(app, 'packed'))
  renameSync(folder, archive)
}

/** What an AppImage starts with, by the library that electron-builder makes it with. */
function appRun(): string {
  const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))
  const { generateAppRunScript } = builder('app-builder-lib/out/targets/appimage/appImageUtil.js') as {
    generateAppRunScript(names: Readonly<Record<string, string>>): string
  }
  const names = { ExecutableName: 'belay', ProductName: 'Belay', ProductFilename: 'Belay' }
  return generateAppRunScript({ ...names, DesktopFileName: 'belay.desktop', ResourceName: 'appimagekit-belay' })
}

const beside = (packed: Packed): string => `${packed.archive}.unpacked`

export function installedSuite(ofPacked: () => Packed): void {
  let packed: Packed
  let env: NodeJS.ProcessEnv
  let belay: string
  beforeAll(() => {
    packed = ofPacked()
    install(packed.app, packed.archive)
    // As a person's PATH has it.
    belay = join(packed.app, 'a link')
    symlinkSync('resources/bin/belay', belay)
    env = { PATH: process.env.PATH, HOME: packed.app, BELAY_HOME: join(packed.app, 'home'), LANG: 'C.UTF-8' }
  }, 120_000)
  const version = () => {
    const { commit, date } = stamp()
    return `${manifest.version} (${commit}, ${date?.slice(0, 10)})\n`
  }
  const say = (...args: string[]) => execFileSync(belay, args, { env, encoding: 'utf8', timeout: 60_000 })

  test('says which sources it is of, and finds all it needs', () => {
    expect(say('--version')).toBe(version())
    const said = say('doctor')
    expect(said).not.toMatch(/^MISSING/m)
    expect(said).toContain(`(${join(beside(packed), `node_modules/@vscode/ripgrep-linux-${process.arch}/bin/rg`)})`)
    expect(said).toContain(`ok       desktop window: ${join(packed.app, 'belay')}`)
    for (const name of ['TypeScript', 'JSON', 'CSS', 'HTML', 'YAML', 'Python (pyright)', 'Bash'])
      expect(said).toMatch(new RegExp(`^ok {7}language server: ${name.replace(/[()]/g, '[$&]')}`, 'm'))
  })

  test('starts each language server, and each answers', async () => {
    const place = (name: string, file: string) => join(beside(packed), 'node_modules', name, file)
    const asked = shippedServers.flatMap(({ id, program }) => {
      const { kind } = program
      if (kind === 'typescript')
        return [answerOf(id, [place(`@typescript/typescript-linux-${process.arch}`, 'lib/tsc'), '--lsp', '--stdio'])]
      if (kind !== 'package') return []
      return [answerOf(id, [join(packed.app, 'belay'), place(program.package, program.file), ...program.args])]
    })
    const answers = await Promise.all(asked)
    expect(answers.filter(([, capabilities]) => typeof capabilities !== 'object')).toEqual([])
    const ids = ['bash', 'css', 'eslint', 'html', 'json', 'python', 'typescript', 'yaml']
    expect(answers.map(([id]) => id).sort()).toEqual(ids)
  }, 90_000)

  test('loads what is native from beside the archive', () => {
    const code = `const require = (await import('node:module')).createRequire(process.argv[1])
const terminal = require('node-pty').spawn('/bin/echo', ['shown'], {})
terminal.onData(text => process.stdout.write(text))
await new Promise(resolve => terminal.onExit(resolve))
process.stdout.write(typeof require('@parcel/watcher').subscribe)`
    const argv = ['--input-type=module', '-e', code, '--', join(packed.archive, 'out/main/belay.js')]
    const options = { env: { ...env, ELECTRON_RUN_AS_NODE: '1' }, encoding: 'utf8', timeout: 30_000 } as const
    expect(execFileSync(join(packed.app, 'belay'), argv, options)).toBe('shown\r\nfunction')
  })

  test('serves with a core and a pty host of its own, and no command of the agent takes itself for Node', async () => {
    const folder = join(packed.app, 'project')
    mkdirSync(folder)
    const bound = { timeout: 100_000, killSignal: 'SIGKILL' } as const
    const serve = spawn(belay, ['serve', '0', folder], { env, stdio: ['ignore', 'pipe', 'pipe'], ...bound })
    let said = ''
    for (const stream of [serve.stdout, serve.stderr])
      stream.setEncoding('utf8').on('data', text => {
        said += text
      })
    try {
      await expect.poll(() => said, { timeout: 30_000 }).toMatch(/http:[/][/]127/)
      const token = readFileSync(join(packed.app, 'home/state/run.token'), 'utf8').trim()
      const command = { call: 'bash', arguments: { command: 'echo "<$ELECTRON_RUN_AS_NODE>" > seen' } }
      const prompt = `script:${JSON.stringify([[command], [{ text: 'Done.' }]])}`
      const answer = await fetch(`${/http:[/][/]127[.]0[.]0[.]1:\d+/.exec(said)?.[0]}/run`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt, options: { model: 'scripted/default', allowed_tools: ['bash'] } }),
        signal: AbortSignal.timeout(60_000),
      })
      expect([answer.status, await answer.json()]).toMatchObject([200, { result: 'Done.' }])
      expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe('<>\n')
    } finally {
      serve.kill('SIGTERM')
      await new Promise(resolve => serve.once('close', resolve))
    }
  }, 120_000)

  test('runs in a window where the executable is started without a word', () => {
    const options = { env, encoding: 'utf8', timeout: 30_000 } as const
    const started = spawnSync(join(packed.app, 'belay'), ['--new-window'], options)
    expect([started.status, started.stdout]).toEqual([OPENED_A_WINDOW, 'A window would have opened: --new-window\n'])
  })

  test('has a command in the terminals of those who run its AppImage', () => {
    // Its files lie where the image would be mounted.
    const image = join(packed.app, 'AppRun')
    writeFileSync(image, appRun(), { mode: 0o755 })
    const home = join(packed.app, 'home of Ann')
    const place = {
      platform: 'linux',
      home,
      env: { APPIMAGE: image },
      resources: join(packed.app, 'resources'),
    } as const
    const command = shellCommand(place, 'install')
    expect(command).toMatchObject({ state: 'installed' })
    for (const unshare of ['true', 'false']) {
      // AppRun tries whether there are user namespaces, and adds a word of its own where there are none.
      const bin = join(packed.app, `unshare is ${unshare}`)
      mkdirSync(bin)
      symlinkSync(`/bin/${unshare}`, join(bin, 'unshare'))
      const at = { ...env, APPDIR: packed.app, PATH: `${bin}:${env.PATH}` }
      const file = 'place' in command ? command.place : ''
      expect(execFileSync(file, ['--version'], { env: at, encoding: 'utf8', timeout: 30_000 })).toBe(version())
    }
  })
}

/** What a server says of itself, when asked as an editor asks. */
async function answerOf(id: string, [program = '', ...args]: readonly string[]): Promise<[string, unknown]> {
  const env = { PATH: process.env.PATH, ELECTRON_RUN_AS_NODE: '1' }
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: 60_000 })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    complaint += text
  })
  const gone = new Promise<string>(resolve => child.once('close', () => resolve(complaint.slice(-2000))))
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  connection.onError(() => {})
  connection.listen()
  try {
    const asked = connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} })
    const answer = asked.then(told => (told as { capabilities: unknown }).capabilities)
    return [id, await Promise.race([answer, gone])]
  } finally {
    connection.dispose()
    child.kill('SIGKILL')
  }
}
