/** Which models a server on this machine offers. Over plain `node:http`: `fetch` costs the core's start a tenth of a second. */
import { get } from 'node:http'

const MAX_MODELS = 500
const MAX_BYTES = 4_000_000

/** The ids an OpenAI-compatible server lists; null when nothing fitting answers in time. Never rejects. */
export async function modelsAt(baseUrl: string, timeoutMs: number): Promise<string[] | null> {
  try {
    const { data } = JSON.parse(await textAt(`${baseUrl}/models`, timeoutMs)) as { data?: { id?: unknown }[] }
    return (data ?? []).flatMap(({ id }) => (typeof id === 'string' ? [id] : [])).slice(0, MAX_MODELS)
  } catch {
    return null
  }
}

/** Rejects for anything but a whole answer with status 2xx within the time. Follows no redirection. */
function textAt(url: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { signal: AbortSignal.timeout(timeoutMs), agent: false }, answer => {
      const { statusCode = 0 } = answer
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        text += piece
        if (text.length > MAX_BYTES) asked.destroy(new Error('too long'))
      })
      answer.on('end', () => (statusCode >= 200 && statusCode < 300 ? resolve(text) : reject(new Error('refused'))))
      answer.on('error', reject)
    })
    asked.on('error', reject)
  })
}
