/** A picture, shown as a blob and nothing else: whatever an SVG holds, it cannot run. */
import { ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type AnyPath, pathKey } from '#contract/path'
import { belay } from '../../client/index.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { formatBytes } from '../../ui/format.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { EmptyState, Spinner } from '../../ui/index.ts'
import { fileName } from './texts.ts'

type Loaded = { readonly url: string; readonly bytes: number } | { readonly fault: string }

async function load(
  workspaceId: Parameters<typeof belay.workspace.readBytes>[0]['workspaceId'],
  path: AnyPath,
): Promise<Loaded> {
  const { base64, mediaType, bytes } = await belay.workspace.readBytes({ workspaceId, path })
  const raw = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  return { url: URL.createObjectURL(new Blob([raw], { type: mediaType })), bytes }
}

export function ImageBody({ path }: { readonly path: AnyPath }) {
  const t = useT()
  const workspaceId = useWorkspace()?.workspaceId
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [size, setSize] = useState<string | null>(null)
  const [fitted, setFitted] = useState(true)
  const [generation, setGeneration] = useState(0)
  const key = pathKey(path)

  useEffect(
    () =>
      belay.on('workspace/changed', ({ changes }) => {
        if (changes.some(change => pathKey(change.path) === key)) setGeneration(number => number + 1)
      }),
    [key],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the path, by value; a new generation is a change on disk
  useEffect(() => {
    if (!workspaceId) return
    let gone = false
    let url: string | null = null
    load(workspaceId, path).then(
      found => {
        if ('url' in found) url = found.url
        if (gone && url) URL.revokeObjectURL(url)
        else setLoaded(found)
      },
      fault => !gone && setLoaded({ fault: localize((fault as Error).message) }),
    )
    return () => {
      gone = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [workspaceId, key, generation])

  const name = fileName(path)
  if (!loaded)
    return (
      <div className="editor-wait">
        <Spinner label={t('editor.opening', { name })} />
      </div>
    )
  if ('fault' in loaded)
    return (
      <div role="alert" className="editor-wait">
        <EmptyState icon={ImageOff} title={t('editor.failedTitle', { name })} body={loaded.fault} />
      </div>
    )
  return (
    <div className="editor-image">
      <button
        type="button"
        className="editor-image-box"
        aria-label={t(fitted ? 'editor.imageFull' : 'editor.imageFit', { name })}
        onClick={() => setFitted(!fitted)}
      >
        <img
          src={loaded.url}
          alt={name}
          className={fitted ? 'editor-image-fit' : undefined}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
          onError={() => setLoaded({ fault: t('editor.imageBroken') })}
        />
      </button>
      <div className="editor-image-facts">{[size, formatBytes(loaded.bytes)].filter(Boolean).join(' · ')}</div>
    </div>
  )
}
