/** What there is of language servers on this machine: what `belay doctor` prints. Starts none. */
import { lacking } from './fleet.ts'
import { findProgram } from './program.ts'
import { shippedServers } from './registry.ts'

export interface SurveyedServer {
  readonly name: string
  readonly version: string | null
  readonly executesProjectCode: boolean
  /** Why it cannot be used or cannot check, and what to do; null where nothing is wrong. */
  readonly problem: string | null
}

export const survey = (env: NodeJS.ProcessEnv): SurveyedServer[] =>
  shippedServers.map(definition => {
    const found = findProgram(definition, env)
    const { name, executesProjectCode } = definition
    if ('missing' in found) return { name, executesProjectCode, version: null, problem: found.missing }
    return { name, executesProjectCode, version: found.version, problem: lacking(definition, env) }
  })
