/**
 * Belay beside the raw server in the same run, in a TypeScript project of 150 modules: the verdict after a write, cold and warm,
 * and completions while the agent writes. Bars: warm <= raw + 20 ms and < 50 ms in all; cold < 700 ms from nothing to the first
 * verdict; completion p95 <= raw + 15 ms.
 */
import { writeFileSync } from 'node:fs'
import { completionsWhileWriting } from './language-completion.ts'
import {
  belayLanguage,
  endProject,
  fileOf,
  MODULES,
  median,
  met,
  moduleText,
  rawServer,
  workspace,
} from './language-project.ts'

const ROUNDS = 40
const COLD_ROUNDS = 5

const file = fileOf(MODULES - 1)
const base = moduleText(MODULES - 1)
/** Right and wrong in turns, never the same text twice. */
const textOf = (round: number): string =>
  `${base}\nexport const r: number = ${round % 2 === 0 ? round : `'${round}'`}\n`

interface Checker {
  verdict(round: number): Promise<number>
  end(): Promise<void>
}

async function raw(): Promise<Checker> {
  const server = await rawServer()
  return {
    async verdict(round) {
      await server.tell(file, textOf(round))
      const { items } = (await server.ask('textDocument/diagnostic', file)) as { items: unknown[] }
      return items.length
    },
    end: server.end,
  }
}

function ours(): Checker {
  const path = workspace.paths.toWire(file)
  if (!path) throw new Error('the file is outside')
  const never = new AbortController().signal
  const language = belayLanguage()
  return {
    async verdict() {
      const { lsp } = await language.check(workspace.info.workspaceId, [path], never)
      return lsp[0]?.errorCount ?? -1
    },
    end: () => language.dispose(),
  }
}

const timed = async (work: () => Promise<number>, expected: number): Promise<number> => {
  const began = performance.now()
  const found = await work()
  const took = performance.now() - began
  if (found !== expected) throw new Error(`found ${found} errors instead of ${expected}`)
  return took
}

async function verdicts(): Promise<void> {
  const cold = { raw: [] as number[], ours: [] as number[] }
  const warm = { raw: [] as number[], ours: [] as number[] }
  let round = 0
  for (let at = 0; at < COLD_ROUNDS; at++)
    for (const kind of ['raw', 'ours'] as const) {
      writeFileSync(file, textOf(++round))
      let checker: Checker | undefined
      cold[kind].push(
        await timed(async () => {
          checker = kind === 'raw' ? await raw() : ours()
          return checker.verdict(round)
        }, round % 2),
      )
      await checker?.end()
    }
  const both = { raw: await raw(), ours: ours() }
  for (const kind of ['raw', 'ours'] as const) await both[kind].verdict(round)
  for (let at = 0; at < ROUNDS; at++) {
    writeFileSync(file, textOf(++round))
    for (const kind of ['raw', 'ours'] as const)
      warm[kind].push(await timed(() => both[kind].verdict(round), round % 2))
  }
  await Promise.all([both.raw.end(), both.ours.end()])
  const [rawWarm, ourWarm] = [median(warm.raw), median(warm.ours)]
  console.log(
    `warm verdict: ${rawWarm.toFixed(1)} ms, ${ourWarm.toFixed(1)} ms (bar raw + 20: ${met(ourWarm <= rawWarm + 20)}; bar 50: ${met(ourWarm < 50)})`,
  )
  const [rawCold, ourCold] = [median(cold.raw), median(cold.ours)]
  console.log(`cold verdict: ${rawCold.toFixed(0)} ms, ${ourCold.toFixed(0)} ms (bar 700: ${met(ourCold < 700)})`)
}

console.log(`${MODULES} modules, medians; raw server beside Belay`)
try {
  await verdicts()
  await completionsWhileWriting()
} finally {
  await endProject()
}
