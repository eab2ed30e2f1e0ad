/**
 * What Ollama says of each model beside its name. The window is what it runs with: of the loaded model, or set in its file, or a
 * hosted one's own. What a model was trained for says nothing of that, so without these the window stays unknown.
 */
import { z } from 'zod'
import type { ListedModel } from './catalog.ts'

/** Each costs a request. */
const MOST_ASKED = 60
const AT_ONCE = 6

const tokens = z.number().int().positive().optional().catch(undefined)
const Show = z.object({
  capabilities: z.array(z.string()).optional().catch(undefined),
  /** Lines of `name   value`. */
  parameters: z.string().optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
  remote_model: z.string().optional().catch(undefined),
})
const Running = z.object({ models: z.array(z.object({ name: z.string(), context_length: tokens })) })

/** `ask` rejects for whatever is no answer; a model of which nothing is said stays as it is, one that cannot talk is left out. */
export async function withOllamaFacts(
  models: readonly ListedModel[],
  ask: (path: '/api/show' | '/api/ps', body?: object) => Promise<string>,
): Promise<ListedModel[]> {
  const loaded = await ask('/api/ps').then(
    text => new Map(Running.parse(JSON.parse(text)).models.map(each => [each.name, each.context_length])),
    () => new Map<string, number | undefined>(),
  )
  const describe = async (model: ListedModel): Promise<ListedModel | null> => {
    try {
      const said = Show.parse(JSON.parse(await ask('/api/show', { model: model.id })))
      return described(model, said, loaded.get(model.id))
    } catch {
      return model
    }
  }
  const out: (ListedModel | null)[] = []
  for (let at = 0; at < Math.min(models.length, MOST_ASKED); at += AT_ONCE)
    out.push(...(await Promise.all(models.slice(at, Math.min(at + AT_ONCE, MOST_ASKED)).map(describe))))
  return [...out, ...models.slice(MOST_ASKED)].filter(each => each !== null)
}

function described(model: ListedModel, said: z.infer<typeof Show>, loaded: number | undefined): ListedModel | null {
  const { capabilities, parameters = '', model_info = {}, remote_model } = said
  if (capabilities?.length && !capabilities.includes('completion')) return null
  const set = Number(/^num_ctx\s+(\d+)/m.exec(parameters)?.[1]) || undefined
  const trained = tokens.parse(model_info[`${model_info['general.architecture']}.context_length`])
  return {
    ...model,
    contextTokens: loaded ?? set ?? (remote_model ? trained : undefined),
    ...(capabilities && {
      tools: capabilities.includes('tools'),
      input: capabilities.includes('vision') ? ['image' as const] : [],
    }),
  }
}
