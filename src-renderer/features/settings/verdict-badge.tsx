/** Allowed, asked, denied or skipped, in a word. */
import { useT } from '../../ui/i18n.ts'
import { Badge, type Tone } from '../../ui/index.ts'

type Verdict = 'allow' | 'ask' | 'deny' | 'skip'
const tones: Record<Verdict, Tone> = { allow: 'ok', ask: 'ask', deny: 'error', skip: 'plain' }

export function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  const t = useT()
  return <Badge tone={tones[verdict]}>{t(`settings.verdict.${verdict}`)}</Badge>
}
