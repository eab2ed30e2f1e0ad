/** `belay rules`: the merged list of rules here, or why one command would run, ask or be denied. Asks and changes nothing. */
import type { RulesArguments } from './rules-arguments.ts'
import { parseRulesArguments, rulesUsage } from './rules-arguments.ts'

/** The exit code of an explanation says the verdict; 1 is a fault. */
const exits = { allow: 0, ask: 10, deny: 11 } as const

export async function main(args: string[]): Promise<number> {
  const parsed = parseRulesArguments(args)
  if ('problem' in parsed) {
    process.stderr.write(`belay rules: ${parsed.problem}\n`)
    return 1
  }
  if (parsed.arguments.help) return say(`${rulesUsage}\n`, 0)
  const { withRules } = await import('./rules-core.ts')
  return withRules(parsed.arguments, async ({ list, explain }) =>
    parsed.arguments.subject === null ? say(await list(), 0) : explained(parsed.arguments, explain),
  )
}

async function explained(
  { subject, json }: RulesArguments,
  explain: (subject: string) => Promise<{ text: string; verdict: keyof typeof exits; raw: unknown }>,
): Promise<number> {
  const { text, verdict, raw } = await explain(subject ?? '')
  return say(json ? `${JSON.stringify(raw)}\n` : text, exits[verdict])
}

function say(text: string, exit: number): number {
  // A reader that has gone (`| head`) is no fault.
  process.stdout.on('error', () => {})
  process.stdout.write(text)
  return exit
}
