/** A text with the letters that were matched. */
export function Matched({
  text,
  positions,
  from = 0,
}: {
  readonly text: string
  readonly positions: readonly number[]
  readonly from?: number
}) {
  const marks = new Set(positions.map(position => position - from))
  const runs: { text: string; hit: boolean; at: number }[] = []
  for (let at = 0; at < text.length; at++) {
    const hit = marks.has(at)
    const last = runs.at(-1)
    if (last && last.hit === hit) last.text += text[at]
    else runs.push({ text: text[at] ?? '', hit, at })
  }
  return runs.map(run => (run.hit ? <mark key={run.at}>{run.text}</mark> : <span key={run.at}>{run.text}</span>))
}
