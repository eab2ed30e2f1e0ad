/** A failed act of the person, said where they are looking, with the core's own words. */
import { toFault } from '#contract/error'
import { toast } from '../../ui/index.ts'

export function showProblem(what: string, thrown: unknown): void {
  toast.error(what, { detail: toFault(thrown).message })
}
