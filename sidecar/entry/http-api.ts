/** The HTTP face of `belay serve`: its token, the `belay run` behind each request, and what Belay knows of workspaces. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import { nodeProgram } from '../base/node-program.ts'
import { type ChildLedger, spawnGroup } from '../base/process-group.ts'
import { reach } from '../heads/headless/reach.ts'
import { createHttpApi, type HttpApi, type StartedRun } from '../heads/http/api.ts'
import { connectOver } from '../transport/connection.ts'
import { connectLocal } from '../transport/local-socket.ts'
import { version } from './version.ts'

const GRACE_MS = 2000
const TIMEOUT_MS = 10_000

export interface ServedApi extends HttpApi {
  /** Where the token can be read, in words. */
  readonly tokenFrom: string
}

/** `belay`: the file of this command. `sidecar`: where the core listens now; null while it does not. */
export async function serveRuns(options: {
  folders: Folders
  folder: string | null
  env: NodeJS.ProcessEnv
  ledger: ChildLedger
  belay: string
  sidecar(): { path: string; token: string } | null
  log: Log
}): Promise<ServedApi> {
  const { folders, folder, env, ledger, belay, log } = options
  const { token, tokenFrom } = await tokenOf(folders, env)
  const start = (args: readonly string[], stdin: string): StartedRun => {
    const environment = Object.fromEntries(Object.entries(env).filter((each): each is [string, string] => !!each[1]))
    const node = nodeProgram()
    const group = spawnGroup(node.command, [belay, 'run', ...args], {
      ...{ cwd: homedir(), env: { ...environment, ...node.env }, ledger, stdin: 'pipe' },
    })
    group.stdin?.end(stdin)
    const exit = group.exited.then(({ code }) => code)
    return { stdout: group.stdout, stderr: group.stderr, exit, end: () => void group.end(GRACE_MS) }
  }
  const workspaces = async () => {
    const target = options.sidecar()
    if (!target) return []
    const connection = connectOver(await connectLocal({ ...target, timeoutMs: TIMEOUT_MS }))
    try {
      const { client } = await reach(connection, 'serve')
      const [{ workspaces: opened }, { folders: recent }] = await Promise.all([
        client.workspace.opened({}),
        client.workspace.recent({}),
      ])
      const open = opened.map(({ workspaceId, roots: [root] }) => ({
        id: workspaceId as string,
        folder: root?.absolute ?? '',
      }))
      const known = recent.map(({ workspaceId, folder: at }) => ({ id: workspaceId as string, folder: at }))
      return [...open, ...known].map(each => ({ ...each, name: each.folder.split(/[\\/]/).at(-1) ?? '' }))
    } finally {
      connection.dispose()
    }
  }
  return { ...createHttpApi({ token, version, folder, workspaces, start, audit: log }), tokenFrom }
}

/** The person's own word, else one that is made once and kept for this person's eyes. */
async function tokenOf({ state }: Folders, env: NodeJS.ProcessEnv): Promise<{ token: string; tokenFrom: string }> {
  const own = env.BELAY_RUN_TOKEN?.trim()
  if (own) return { token: own, tokenFrom: 'BELAY_RUN_TOKEN' }
  const file = join(state, 'run.token')
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim()
  const token = kept || randomBytes(32).toString('base64url')
  if (!kept) await writeFileAtomic(file, `${token}\n`)
  return { token, tokenFrom: file }
}
