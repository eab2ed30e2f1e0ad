/** The record, newest first: a page of it, what comes while one looks, and older ones when they are asked for. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { AuditEntry } from '#contract/permission'
import { belay, follow } from '../../../client/index.ts'
import { useSessionId } from '../../../state/view/session.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { localize } from '../../../ui/i18n.ts'
import { asked, belongs, recordFilter } from './filter.ts'

const PAGE = 200
/** A moment of rest after a key before the record is searched. */
const TYPING_MS = 200

export interface NumberedEntry extends AuditEntry {
  readonly key: number
}
interface Shown {
  readonly entries: readonly NumberedEntry[]
  readonly more: boolean
}

export function useRecord(query: string) {
  const filter = recordFilter()
  const workspace = useWorkspace()
  const sessionId = useSessionId() ?? undefined
  const place = useMemo(
    () => ({
      workspaceId: workspace?.workspaceId,
      sessionId,
      roots: workspace?.roots.map(root => root.absolute) ?? [],
    }),
    [workspace, sessionId],
  )
  const words = useSettled(query)
  const [shown, setShown] = useState<Shown | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const counter = useRef(0)
  const busy = useRef(false)
  const numbered = (entry: AuditEntry): NumberedEntry => ({ ...entry, key: counter.current++ })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `numbered` only counts
  useEffect(() => {
    const following = follow({
      open: signal => belay.permission.audit({ ...asked(filter, words, place), limit: PAGE }, { signal }),
      onSnapshot({ entries, more }) {
        setFault(null)
        setShown({ entries: entries.map(numbered), more })
      },
      onFailed: ({ message }) => setFault(message),
      events: {
        'permission/recorded': entry => {
          if (!belongs(entry, filter, words, place)) return
          setShown(now => now && { ...now, entries: [numbered(entry), ...now.entries] })
        },
      },
    })
    return () => following.dispose()
  }, [filter, words, place])

  const older = async () => {
    const before = shown?.entries.at(-1)?.at
    if (busy.current || !shown?.more || before === undefined) return
    busy.current = true
    try {
      const page = await belay.permission.audit({ ...asked(filter, words, place), before, limit: PAGE })
      setShown(now => now && { entries: [...now.entries, ...page.entries.map(numbered)], more: page.more })
    } catch (thrown) {
      setFault(localize(toFault(thrown).message))
    } finally {
      busy.current = false
    }
  }
  return { shown, fault, older }
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
