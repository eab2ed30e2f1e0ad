/** The first page: three things to do, a choice of model, and nothing else. */
import { ChevronRight, FolderOpen, GitFork, History } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { SessionSummary } from '#contract/session'
import { belay, useConnection } from '../../client/index.ts'
import { useT } from '../../ui/i18n.ts'
import { cx, type IconType, Kbd, Mark } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { ModelChoice } from './model-choice.tsx'
import './welcome.css'

interface RecentFolder {
  readonly folder: string
  readonly home: string
  readonly name: string
  readonly exists: boolean
}

const MOST_RECENT = 5

export function Welcome() {
  const t = useT()
  const run = useCommand()
  const { folders, session } = useLately()
  const lately = folders.slice(0, MOST_RECENT)
  const home = session?.roots[0]
  const folderOf = (known: string) => folders.find(each => each.home === known)?.folder ?? known
  const goOn = async (folder: string, summary: SessionSummary) => {
    await run('app.openFolderAt', { folder })
    await run('agent.openSession', { sessionId: summary.sessionId })
  }
  return (
    <div className="welcome">
      <div className="welcome-column">
        <div className="welcome-head">
          <Mark size={44} className="welcome-mark" />
          <div>
            <h1>Belay</h1>
            <p>{t('welcome.motto')}</p>
          </div>
        </div>
        <div className="welcome-actions">
          <Action icon={FolderOpen} keys="$mod+O" main onSelect={() => void run('app.openFolder')}>
            {t('command.app.openFolder')}
          </Action>
          <Action icon={GitFork} onSelect={() => void run('app.cloneRepository')}>
            {t('command.app.cloneRepository')}
          </Action>
          {session && home && (
            <Action icon={History} onSelect={() => void goOn(folderOf(home), session)}>
              {t('welcome.continue', { title: session.title || session.preview, folder: folderName(home) })}
            </Action>
          )}
        </div>
        {lately.length > 0 && (
          <section aria-labelledby="welcome-recent">
            <h2 id="welcome-recent">{t('welcome.recent')}</h2>
            <div className="welcome-actions">
              {lately.map(each => (
                <Action
                  key={each.folder}
                  icon={ChevronRight}
                  note={each.exists ? each.folder : t('welcome.gone', { folder: each.folder })}
                  onSelect={() => void run('app.openFolderAt', { folder: each.folder })}
                >
                  {each.name}
                </Action>
              ))}
            </div>
          </section>
        )}
        <ModelChoice />
      </div>
    </div>
  )
}

interface ActionProps {
  readonly icon: IconType
  readonly keys?: string
  readonly note?: string
  readonly main?: boolean
  readonly onSelect: () => void
  readonly children: ReactNode
}

const Action = ({ icon: Icon, keys, note, main, onSelect, children }: ActionProps) => (
  <button
    type="button"
    className={cx('welcome-action', main && 'welcome-main')}
    onClick={onSelect}
    {...(main ? { 'data-autofocus': true } : {})}
  >
    <Icon size={16} />
    <span className="welcome-action-text">{children}</span>
    {note && <span className="welcome-note">{note}</span>}
    {keys && <Kbd chord={keys} />}
  </button>
)

/** Recent folders and the newest session; asked for when the connection is there, and again when it comes back. */
function useLately(): { folders: readonly RecentFolder[]; session: SessionSummary | null } {
  const ready = useConnection(state => state.sidecar === 'ready')
  const [folders, setFolders] = useState<readonly RecentFolder[]>([])
  const [session, setSession] = useState<SessionSummary | null>(null)
  useEffect(() => {
    if (!ready) return
    let current = true
    belay.workspace.recent({}).then(
      found => current && setFolders(found.folders),
      () => {},
    )
    belay.session.list({}).then(
      ({ sessions }) =>
        current &&
        setSession([...sessions].sort((a, b) => b.changedAt - a.changedAt).find(each => each.roots[0]) ?? null),
      () => {},
    )
    return () => {
      current = false
    }
  }, [ready])
  return { folders, session }
}

const folderName = (absolute: string): string => absolute.split(/[/\\]/).filter(Boolean).at(-1) ?? absolute
