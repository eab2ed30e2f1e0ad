/** Every file of instructions and what becomes of it; the person's own is written here, those of folders open in the editor. */
import { Pencil } from 'lucide-react'
import { useCallback, useState } from 'react'
import { toFault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { InstructionFile } from '#contract/knowledge'
import { belay } from '../../../client/index.ts'
import { useFollowed } from '../../../client/use-followed.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { formatBytes } from '../../../ui/format.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Badge, Button, toast } from '../../../ui/index.ts'
import { pathOf, useOpenFile } from '../open-file.ts'
import { OwnText } from './own-text.tsx'

interface InstructionListProps {
  readonly workspaceId: WorkspaceId | undefined
  /** Every one must be in the name. */
  readonly words: readonly string[]
}

const tones = { told: 'ok', near: 'ok', untrusted: 'ask', unreadable: 'error' } as const

export function InstructionList({ workspaceId, words }: InstructionListProps) {
  const t = useT()
  const open = useCallback(
    (signal: AbortSignal) => belay.knowledge.instructions({ workspaceId }, { signal }),
    [workspaceId],
  )
  const { value, fault } = useFollowed(open, 'knowledge/changed')
  const [writing, setWriting] = useState(false)
  const files = (value?.files ?? []).filter(({ name }) => words.every(word => name.toLowerCase().includes(word)))
  return (
    <>
      <h3>{t('memory.instructions')}</h3>
      <p className="dim">{t('memory.instructionsAbout')}</p>
      {fault && <div className="ui-field-error">{localize(fault)}</div>}
      {writing && <OwnText onDone={() => setWriting(false)} />}
      <ul className="agents" aria-label={t('memory.instructions')}>
        {files.map(file => (
          <FileRow key={file.file} file={file} onWrite={() => setWriting(true)} />
        ))}
      </ul>
      {value?.more && <p className="dim">{t('memory.more')}</p>}
    </>
  )
}

function FileRow({ file, onWrite }: { readonly file: InstructionFile; readonly onWrite: () => void }) {
  const t = useT()
  const openFile = useOpenFile()
  const workspace = useWorkspace()
  const { name, kind, state, bytes, mostBytes } = file
  const make = async () => {
    const path = pathOf(file.file, workspace)
    if (!workspace || !('rootId' in path)) return
    try {
      await belay.workspace.createFile({ workspaceId: workspace.workspaceId, path })
      openFile(file.file)
    } catch (thrown) {
      toast.error(t('memory.notMade'), { detail: toFault(thrown).message })
    }
  }
  const missing = state === 'missing'
  const label = missing ? t('memory.makeNamed', { name }) : t('memory.openNamed', { name })
  const act = kind === 'own' ? onWrite : missing ? () => void make() : () => openFile(file.file)
  return (
    <li className="agent">
      <div className="agent-text">
        <div className="settings-name">
          <span className="mono">{name}</span>
          <Badge tone={tones[state as keyof typeof tones] ?? 'plain'}>{t(`memory.state.${state}`)}</Badge>
        </div>
        <div className="agent-facts" title={file.file}>
          <span>{t(`memory.kind.${kind}`)}</span>
          {bytes > 0 && <span>{formatBytes(bytes)}</span>}
          {bytes > mostBytes && (state === 'told' || state === 'near') && (
            <span className="memory-untold">{t('memory.cut', { size: formatBytes(mostBytes) })}</span>
          )}
        </div>
      </div>
      <Button variant="ghost" icon={Pencil} onClick={act} aria-label={label}>
        {t(missing ? 'memory.make' : 'memory.open')}
      </Button>
    </li>
  )
}
