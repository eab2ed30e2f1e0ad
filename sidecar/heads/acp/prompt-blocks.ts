/** A prompt's content blocks as what a session takes. Pure. Throws `invalid` for what no model here can be given. */
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { BelayError } from '#contract/error'
import type { AnyPath } from '#contract/path'
import type { PromptPart } from '#contract/session'

/** `place`: where a file of this machine lies; null for what is no absolute path. */
export function partsOf(blocks: readonly ContentBlock[], place: (uri: string) => AnyPath | null): PromptPart[] {
  const texts: string[] = []
  const others: PromptPart[] = []
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        texts.push(block.text)
        break
      case 'image':
        others.push({
          kind: 'bytes',
          name: nameOf(block.uri ?? 'image'),
          mediaType: block.mimeType,
          base64: block.data,
        })
        break
      case 'resource_link': {
        const path = place(block.uri)
        if (path) others.push({ kind: 'path', path })
        else texts.push(`${block.name}: ${block.uri}`)
        break
      }
      case 'resource':
        others.push(embedded(block.resource))
        break
      default:
        throw new BelayError('invalid', `Nothing was sent: Belay takes no ${block.type} in a prompt.`)
    }
  }
  return [{ kind: 'text', text: texts.join('\n') }, ...others]
}

function embedded(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): PromptPart {
  const name = nameOf(resource.uri)
  if ('text' in resource)
    return {
      ...{ kind: 'bytes', name, mediaType: resource.mimeType ?? 'text/plain' },
      base64: Buffer.from(resource.text, 'utf8').toString('base64'),
    }
  return { kind: 'bytes', name, mediaType: resource.mimeType ?? 'application/octet-stream', base64: resource.blob }
}

/** The last piece of an address, for a person to read. */
const nameOf = (uri: string): string => {
  const last =
    uri
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? ''
  try {
    return (decodeURIComponent(last) || 'attachment').slice(0, 255)
  } catch {
    return (last || 'attachment').slice(0, 255)
  }
}
