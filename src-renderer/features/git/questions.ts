/** What a verb asks a person before it goes on: yes or no, or a few words. One question at a time; Escape is no. */
import { create } from 'zustand'
import type { GitNext, GitRefusal } from '#contract/git'

export interface Field {
  readonly id: string
  readonly label: string
  readonly initial?: string
  readonly hint?: string
  readonly optional?: boolean
  /** A box to tick: its value is 'yes' or ''. */
  readonly tick?: boolean
}

/** `id` differs for each. */
export type Question = { readonly id: number } & (
  | {
      readonly kind: 'confirm'
      readonly title: string
      readonly body: string
      readonly confirm: string
      readonly danger: boolean
      readonly names: readonly string[]
      answer(yes: boolean): void
    }
  | {
      readonly kind: 'fields'
      readonly title: string
      readonly body: string | null
      readonly confirm: string
      readonly fields: readonly Field[]
      /** Null: given up. */
      answer(values: Readonly<Record<string, string>> | null): void
    }
  | {
      readonly kind: 'refusal'
      readonly title: string
      readonly refusal: GitRefusal
      readonly steps: readonly NextStep[]
      answer(step: NextStep | null): void
    }
)

export interface NextStep {
  readonly next: GitNext
  readonly label: string
  run(): Promise<unknown> | unknown
}

export const questions = create<{ readonly waiting: readonly Question[] }>(() => ({ waiting: [] }))

let count = 0
type Without<Q> = Q extends unknown ? Omit<Q, 'answer' | 'id'> : never
type AnswerOf<Q extends Question> = Parameters<Q['answer']>[0]

function ask<K extends Question['kind']>(
  question: Without<Extract<Question, { kind: K }>>,
): Promise<AnswerOf<Extract<Question, { kind: K }>>> {
  return new Promise(resolve => {
    const whole = {
      ...question,
      id: ++count,
      answer(value: never) {
        questions.setState(({ waiting }) => ({ waiting: waiting.filter(each => each !== whole) }))
        resolve(value)
      },
    } as unknown as Question
    questions.setState(({ waiting }) => ({ waiting: [...waiting, whole] }))
  })
}

export const confirmed = (words: {
  title: string
  body: string
  confirm: string
  danger?: boolean
  names?: readonly string[]
}): Promise<boolean> => ask<'confirm'>({ kind: 'confirm', danger: false, names: [], ...words })

export const typed = <I extends string>(words: {
  title: string
  body?: string
  confirm: string
  fields: readonly (Field & { id: I })[]
}): Promise<Readonly<Record<I, string>> | null> =>
  ask<'fields'>({ kind: 'fields', body: null, ...words }) as Promise<Readonly<Record<I, string>> | null>

/** Resolves when the dialog has closed and what was chosen there has been done. */
export async function showRefusal(title: string, refusal: GitRefusal, steps: readonly NextStep[]): Promise<void> {
  const step = await ask<'refusal'>({ kind: 'refusal', title, refusal, steps })
  await step?.run()
}
