/** What ran since and is not taken back: commands, those that still run, and branches that were moved. */
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { MovedRefs, RewindPreview } from '#contract/head'
import { useT } from '../../../ui/i18n.ts'
import { Button } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'

/** Shown before a person asks for all. */
const FIRST = 3
const MOST_CHARS = 160

type Ran = RewindPreview['commands'][number]

export function RewindCommands({ preview }: { readonly preview: RewindPreview }) {
  const t = useT()
  const [all, setAll] = useState(false)
  const { commands, moreCommands, refs } = preview
  if (commands.length === 0 && refs.length === 0) return null
  // What moved branches or still runs is what a person must know first.
  const byWeight = [...commands].sort((a, b) => weight(b) - weight(a))
  const shown = all ? byWeight : byWeight.slice(0, FIRST)
  const hidden = commands.length - shown.length
  return (
    <div className="rewind-note">
      <TriangleAlert size={14} aria-hidden="true" />
      <div>
        {commands.length > 0 && t('recover.ran')}
        <ul>
          {shown.map((ran, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same command may have run twice in one moment
            <li key={`${ran.at} ${index}`}>
              <code className="chat-mono">{visibleLine(ran.command.slice(0, MOST_CHARS))}</code>
              {ran.running && <span> {t('recover.stillRuns')}</span>}
              {ran.movesRefs && <span> {t('recover.movesRefs')}</span>}
            </li>
          ))}
          {hidden === 0 && moreCommands > 0 && <li>{t('recover.earlierCommands', { count: moreCommands })}</li>}
          {refs.map(moved => (
            <li key={moved.before.root}>{movedWords(t, moved)}</li>
          ))}
        </ul>
        {hidden > 0 && (
          <Button variant="ghost" onClick={() => setAll(true)}>
            {t('recover.moreCommands', { count: hidden + moreCommands })}
          </Button>
        )}
      </div>
    </div>
  )
}

const weight = ({ running, movesRefs }: Ran): number => Number(movesRefs) * 2 + Number(running)

function movedWords(t: ReturnType<typeof useT>, { before, now }: MovedRefs): string {
  const place = ({ branch, commit }: MovedRefs['now']) =>
    visibleLine([branch, commit?.slice(0, 8)].filter(Boolean).join(' ')) || t('recover.noCommit')
  return t('recover.moved', { root: visibleLine(before.root), before: place(before), now: place(now) })
}
