/** What else would be changed with a move, place by place, before anything is moved. */
import { useRef } from 'react'
import { baseName, parentPath, pathKey } from '#contract/path'
import { useT } from '../../ui/i18n.ts'
import { Badge, Button, Dialog } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { explorerState } from './explorer-state.ts'
import './explorer-follow.css'

const MOST_PLACES = 200

export function FollowDialog() {
  const t = useT()
  const following = explorerState(state => state.following)
  const both = useRef<HTMLButtonElement>(null)
  if (!following) return null
  const { texts, decide } = following
  let left = MOST_PLACES
  const all = texts.reduce((sum, { places }) => sum + places.length, 0)
  return (
    <Dialog
      open
      onOpenChange={open => !open && decide(null)}
      title={t('explorer.follow.title', { count: texts.length })}
      description={t('explorer.follow.about')}
      width={620}
      initialFocus={both}
      footer={
        <>
          <Button variant="ghost" onClick={() => decide(null)}>
            {t('explorer.cancel')}
          </Button>
          <Button onClick={() => decide([])}>{t('explorer.follow.only')}</Button>
          <Button ref={both} variant="main" onClick={() => decide(texts)}>
            {t('explorer.follow.both')}
          </Button>
        </>
      }
    >
      <ul className="follow-texts" tabIndex={0} aria-label={t('explorer.follow.list')}>
        {texts.map(({ path, places }) => {
          const shown = places.slice(0, Math.max(0, left))
          left -= shown.length
          if (shown.length === 0) return null
          return (
            <li key={pathKey(path)}>
              <div className="follow-file" title={visible(path.path)}>
                <b>{visible(baseName(path.path))}</b>
                <span className="follow-folder">{visible(parentPath(path.path))}</span>
                <Badge>{places.length}</Badge>
              </div>
              {shown.map(({ from, line, lead, was, text, trail }) => (
                <div key={from} className="follow-place">
                  <span className="follow-line">{line}</span>
                  <code>
                    {visible(lead.trimStart())}
                    <del>{visible(was)}</del>
                    <ins>{visible(text)}</ins>
                    {visible(trail)}
                  </code>
                </div>
              ))}
            </li>
          )
        })}
        {all > MOST_PLACES && (
          <li className="follow-more">{t('explorer.follow.more', { count: all - MOST_PLACES })}</li>
        )}
      </ul>
    </Dialog>
  )
}
