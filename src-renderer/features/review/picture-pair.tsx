/** A picture before and after, each as a blob and nothing else. */
import { ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { belay } from '../../client/index.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { nameOf } from './names.ts'
import type { FileArgument } from './review-state.ts'

export function PicturePair({ argument }: { readonly argument: FileArgument }) {
  return (
    <div className="review-pictures">
      <Picture argument={argument} side="base" />
      <Picture argument={argument} side="now" />
    </div>
  )
}

function Picture({ argument, side }: { readonly argument: FileArgument; readonly side: 'base' | 'now' }) {
  const t = useT()
  const workspaceId = useWorkspace()?.workspaceId
  const [url, setUrl] = useState<string | null>(null)
  const [words, setWords] = useState('')
  const { scope, path } = argument
  useEffect(() => {
    if (!workspaceId) return
    let gone = false
    let made: string | null = null
    belay.review.picture({ workspaceId, scope, path, side }).then(
      ({ base64, mediaType }) => {
        if (gone) return
        if (base64 === null) return setWords(t('review.noPicture'))
        const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
        made = URL.createObjectURL(new Blob([bytes], { type: mediaType }))
        setUrl(made)
      },
      thrown => !gone && setWords(localize((thrown as Error).message)),
    )
    return () => {
      gone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [workspaceId, scope, path, side, t])
  return (
    <figure>
      {url ? (
        <img
          src={url}
          alt={t(`review.picture.${side}`, { name: nameOf(path) })}
          onError={() => {
            setUrl(null)
            setWords(t('review.noPicture'))
          }}
        />
      ) : (
        <span className="review-no-picture">
          <ImageOff size={18} />
          {words}
        </span>
      )}
      <figcaption>{t(`review.side.${side}`)}</figcaption>
    </figure>
  )
}
