/**
 * What git and ssh ask while an operation runs, as questions to the client that started it. Promise: the answer goes to who
 * asked and nowhere else; an end of the operation, of the program that asked, or of patience ends the question everywhere.
 */
import { randomBytes } from 'node:crypto'
import type { CallContext } from '#contract/define'
import type { GitAsk } from '#contract/git'
import { AskId } from '#contract/id'
import { newId } from '../../base/id.ts'
import { type AskProgram, startAskProgram } from './program.ts'
import { readQuestion } from './question.ts'

const PATIENCE_MS = 300_000

export interface Asks {
  /** Runs `work` with the environment in which git asks the client of `context`; whatever is still asked ends with it. */
  during<T>(operationId: string, context: CallContext, work: (extra: Record<string, string>) => Promise<T>): Promise<T>
  /** Whether it was still asked, and of that client. */
  answer(askId: AskId, answer: string | null, clientId: string): boolean
  dispose(): Promise<void>
}

interface Operation {
  readonly operationId: string
  readonly clientId: string
  readonly ended: AbortSignal
}

export function createAsks(options: {
  state: string
  tell(name: 'git/asked' | 'git/answered', payload: unknown, clientId: string): void
}): Asks {
  const operations = new Map<string, Operation>()
  const pending = new Map<AskId, { clientId: string; settle(answer: string | null): void }>()
  let program: Promise<AskProgram> | null = null

  const ask = (token: string, prompt: string, gone: AbortSignal): Promise<string | null> => {
    const operation = operations.get(token)
    if (!operation || operation.ended.aborted || gone.aborted) return Promise.resolve(null)
    const { operationId, clientId, ended } = operation
    const askId = AskId.parse(newId('ask'))
    return new Promise(resolve => {
      const settle = (answer: string | null) => {
        if (!pending.delete(askId)) return
        clearTimeout(timer)
        for (const signal of [gone, ended]) signal.removeEventListener('abort', giveUp)
        options.tell('git/answered', { askId }, clientId)
        resolve(answer)
      }
      const giveUp = () => settle(null)
      const timer = setTimeout(giveUp, PATIENCE_MS)
      for (const signal of [gone, ended]) signal.addEventListener('abort', giveUp, { once: true })
      pending.set(askId, { clientId, settle })
      const asked: GitAsk = { askId, operationId, ...readQuestion(prompt) }
      options.tell('git/asked', asked, clientId)
    })
  }

  return {
    async during(operationId, { clientId, signal }, work) {
      program ??= startAskProgram(options.state, ask)
      const started = await program.catch(() => null)
      if (!started) {
        // Without it git asks nobody, and says what it could not do.
        program = null
        return work({})
      }
      const token = randomBytes(32).toString('hex')
      const end = new AbortController()
      operations.set(token, { operationId, clientId, ended: AbortSignal.any([signal, end.signal]) })
      try {
        return await work(started.environment(token))
      } finally {
        operations.delete(token)
        end.abort()
      }
    },
    answer(askId, answer, clientId) {
      const found = pending.get(askId)
      if (!found || found.clientId !== clientId) return false
      found.settle(answer)
      return true
    },
    async dispose() {
      for (const { settle } of [...pending.values()]) settle(null)
      await (await program?.catch(() => null))?.close()
    },
  }
}
