/** The way of a session out of Belay and back in: a file that is saved where a person says, and one that they choose. */
import { BelayError, toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import { belay, host } from '../../client/index.ts'
import { hasNativeDialogs } from '../../state/view/machine.ts'
import { currentSession } from '../../state/view/session.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { formatBytes } from '../../ui/format.ts'
import { localize, t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'

/** The wire's bound. */
const MOST_CHARS = 64_000_000

const types = { markdown: 'text/markdown', jsonl: 'application/x-ndjson' }

/** The session that is shown, without another. */
export async function exportSession(format: keyof typeof types, sessionId = currentSession.get()): Promise<void> {
  if (!sessionId) throw new BelayError('not_found', t('sessions.noSession'))
  const blobs = format === 'jsonl'
  const { fileName, text } = await belay.session.export({ sessionId, format, ...(blobs ? { blobs } : {}) })
  if (hasNativeDialogs()) return saveWhereSaid(fileName, text)
  const url = URL.createObjectURL(new Blob([text], { type: types[format] }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = fileName
  anchor.click()
  URL.revokeObjectURL(url)
}

/** In the system's own dialog; nothing is written where the person says no. */
async function saveWhereSaid(name: string, text: string): Promise<void> {
  const { path } = await host.host.saveText({ title: t('sessions.exportTitle'), name, text })
  if (path === null) return
  const reveal = () =>
    void host.host.reveal({ absolute: path }).catch(thrown => toast.error(localize(toFault(thrown).message)))
  toast.ok(t('sessions.exported', { path }), { label: t('sessions.exportShow'), onSelect: reveal })
}

/** Nothing happens where no file is chosen. */
export async function importSession(): Promise<void> {
  const { workspace } = workspaceView.getState()
  if (!workspace) throw new BelayError('not_found', t('sessions.noFolder'))
  const file = await chosenFile('.jsonl,.ndjson,.json')
  if (!file) return
  if (file.size > MOST_CHARS)
    throw new BelayError('too_large', t('sessions.importTooLarge', { limit: formatBytes(MOST_CHARS) }))
  const text = await file.text()
  const { workspaceId } = workspace
  const { sessionId, records, skipped, missingBlobs } = await belay.session.import({
    ...{ workspaceId, fileName: file.name.slice(0, 255), text },
  })
  if (workspaceView.getState().workspace?.workspaceId === workspaceId) currentSession.set(sessionId)
  toast.ok(t('sessions.importDone', { count: records }))
  if (skipped > 0) toast.info(t('sessions.importSkipped', { count: skipped }))
  if (missingBlobs > 0) toast.info(t('sessions.importMissing', { count: missingBlobs }))
}

function chosenFile(accept: string): Promise<File | null> {
  return new Promise(resolve => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = accept
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null))
    input.addEventListener('cancel', () => resolve(null))
    input.click()
  })
}

export const exporting =
  (format: keyof typeof types) =>
  (asked: { readonly sessionId: SessionId } | undefined | void): Promise<void> =>
    exportSession(format, asked?.sessionId)
