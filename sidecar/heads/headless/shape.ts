/** The answer as data: a JSON Schema from the command line, and what an answer makes of it. The model is told of it by the core. */
import type { ValidateFunction } from 'ajv'
import { BelayError } from '#contract/error'
import { candidatesIn, parseLoosely } from '../../base/json-in-text.ts'

export interface Shape {
  /** The first JSON in the text that fits, else what is wrong. */
  read(text: string): { value: unknown } | { problem: string }
}

const MOST_FAULTS = 5

/** Throws `invalid` for what is no JSON Schema. */
export async function shapeOf(schema: Record<string, unknown>): Promise<Shape> {
  const newer = String(schema.$schema ?? '').includes('2020-12')
  const Checker = newer ? (await import('ajv/dist/2020.js')).Ajv2020 : (await import('ajv')).Ajv
  // What the schema says beyond the standard is for others; formats are not checked.
  const checker = new Checker({ strict: false, allErrors: true, validateFormats: false })
  let fits: ValidateFunction
  try {
    fits = checker.compile(schema)
  } catch (fault) {
    throw new BelayError('invalid', `--json-schema is no JSON Schema: ${(fault as Error).message}.`)
  }
  return {
    read(text) {
      let unfit: string | null = null
      for (const candidate of candidatesIn(text)) {
        const value = parseLoosely(candidate)
        if (value === undefined) continue
        if (fits(value)) return { value }
        const faults = (fits.errors ?? []).slice(0, MOST_FAULTS)
        unfit ??= faults.map(({ instancePath, message }) => `${instancePath || 'the value'} ${message}`).join('; ')
      }
      return { problem: unfit ? `The JSON does not fit: ${unfit}.` : 'The answer holds no JSON.' }
    },
  }
}

export const repairWords = (problem: string): string =>
  `${problem} Answer again, with one JSON value of the schema and nothing else.`
