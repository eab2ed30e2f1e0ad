/**
 * Who does the scripted turn of `turn`: Belay, and with `--peers` the leanest command-line agents of npm, each in its own
 * way of being pointed at a model server, with its own tool for reading a file. Peers are installed below .cache/, without their scripts.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Where {
  /** Without a path. */
  readonly url: string
  readonly home: string
  readonly folder: string
}

export interface Agent {
  readonly name: string
  /** What it calls to read `a.txt`. */
  readonly call: { readonly tool: string; readonly arguments: (folder: string) => object }
  readonly command: (where: Where, prompt: string) => readonly string[]
  readonly env: (where: Where) => NodeJS.ProcessEnv
  readonly prepare?: (where: Where) => Promise<void>
}

const PEERS = {
  '@anthropic-ai/claude-code': '2.1.332',
  '@openai/codex': '0.171.0',
  'opencode-ai': '1.18.33',
  '@earendil-works/pi-coding-agent': '0.74.2',
} as const
const KEY = 'bench'
const node = process.execPath

export const belayAgent = (root: string): Agent => ({
  name: 'belay run',
  call: { tool: 'read', arguments: () => ({ path: 'a.txt' }) },
  command: ({ folder }, prompt) => [
    ...[node, join(root, 'out/main/belay.js'), 'run', prompt],
    ...['--model', 'openai/bench', '--cwd', folder],
  ],
  env: ({ url, home }) => ({
    BELAY_HOME: join(home, 'belay'),
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${url}/v1`,
  }),
})

/** Installs what is missing; needs npm's registry the first time. Throws when npm fails. */
export async function peerAgents(root: string): Promise<Agent[]> {
  const at = join(root, '.cache/peers')
  await mkdir(at, { recursive: true })
  await writeFile(join(at, 'package.json'), JSON.stringify({ private: true, dependencies: PEERS }))
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const npm = spawnSync('npm', ['install', ...options], {
    ...{ cwd: at, stdio: 'inherit', timeout: 600_000, shell: process.platform === 'win32' },
  })
  if (npm.status !== 0) throw new Error('npm could not install the peers')
  const has = (...path: string[]) => join(at, 'node_modules', ...path)
  const native = (name: string) => `${name}-${process.platform}-${process.arch}`
  return [
    {
      name: 'claude -p',
      call: { tool: 'Read', arguments: folder => ({ file_path: join(folder, 'a.txt') }) },
      command: (_, prompt) => [has(native('@anthropic-ai/claude-code'), 'claude'), '-p', prompt],
      env: ({ url, home }) => ({
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: KEY,
        CLAUDE_CONFIG_DIR: join(home, 'claude'),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      }),
    },
    {
      name: 'codex exec',
      call: { tool: 'exec_command', arguments: () => ({ cmd: 'cat a.txt' }) },
      command: (_, prompt) => [node, has('@openai/codex/bin/codex.js'), 'exec', '--skip-git-repo-check', prompt],
      env: ({ home }) => ({ CODEX_HOME: join(home, 'codex'), BENCH_KEY: KEY }),
      prepare: async ({ url, home }) => {
        await mkdir(join(home, 'codex'), { recursive: true })
        const provider = `base_url = "${url}/v1"\nenv_key = "BENCH_KEY"\nwire_api = "responses"`
        await writeFile(
          join(home, 'codex/config.toml'),
          `model = "bench"\nmodel_provider = "bench"\n[features]\nplugins = false\n[model_providers.bench]\nname = "bench"\n${provider}\n`,
        )
      },
    },
    {
      name: 'opencode run',
      call: { tool: 'read', arguments: folder => ({ filePath: join(folder, 'a.txt') }) },
      command: (_, prompt) => [has(native('opencode').replace('win32', 'windows'), 'bin/opencode'), 'run', prompt],
      env: ({ url, home }) => ({
        XDG_DATA_HOME: join(home, 'data'),
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_STATE_HOME: join(home, 'state'),
        XDG_CACHE_HOME: join(home, 'cache'),
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          model: 'bench/bench',
          autoupdate: false,
          provider: {
            bench: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${url}/v1`, apiKey: KEY },
              models: { bench: { tool_call: true } },
            },
          },
        }),
      }),
    },
    {
      name: 'pi -p',
      call: { tool: 'read', arguments: () => ({ path: 'a.txt' }) },
      command: (_, prompt) => [
        ...[node, has('@earendil-works/pi-coding-agent/dist/cli.js'), '--offline'],
        ...['--provider', 'bench', '--model', 'bench', '-p', prompt],
      ],
      env: ({ home }) => ({ PI_CODING_AGENT_DIR: join(home, 'pi') }),
      prepare: async ({ url, home }) => {
        await mkdir(join(home, 'pi'), { recursive: true })
        const bench = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: KEY, models: [{ id: 'bench' }] }
        await writeFile(join(home, 'pi/models.json'), JSON.stringify({ providers: { bench } }))
      },
    },
  ]
}
