/**
 * A rename: what the server proposes is shown whole before it is asked about, and exactly that is written, or nothing. Other
 * files than the one it was asked in meet the rules too.
 */
import { createTwoFilesPatch } from 'diff'
import type { TextChange } from '#contract/document'
import { applyChanges } from '#contract/document-transform'
import type { CallId, FileHash } from '#contract/id'
import type { Action, ToolContext, ToolOutcome } from '../agent/ports.ts'
import { protectedPart } from '../base/protected-places.ts'
import type { Language } from '../language/language.ts'
import type { ResolvedPath } from '../workspace/paths.ts'
import { ledgerLine, refused, said } from './define.ts'
import { type LspArguments, type LspWorkspaceOf, placeOf } from './lsp-place.ts'
import { writableIn } from './place.ts'

interface FilePlan {
  readonly place: Awaited<ReturnType<typeof writableIn>>
  readonly shown: string
  readonly expect: FileHash
  readonly changes: TextChange[]
  readonly patch: string
}

interface Renames {
  /** Plans it and shows all of it. Throws with words where it cannot be done. */
  describe(args: LspArguments, absolute: string, context: ToolContext): Promise<Action>
  /** What was described for this call. */
  run(context: ToolContext): Promise<ToolOutcome>
}

const MOST_FILES = 200
/** Plans that wait for their answer; one that was denied is never asked for again. */
const MOST_PLANS = 20

export function createRenames(language: Pick<Language, 'of'>, workspaceOf: LspWorkspaceOf): Renames {
  const plans = new Map<CallId, FilePlan[]>()
  return {
    async describe(args, absolute, context) {
      const { newName } = args
      if (newName === undefined) throw refused('rename needs "newName".')
      const at = await placeOf(args, absolute, context, workspaceOf)
      const servers = await language.of(context.workspaceId)
      const { files, changesIn } = await servers.rename({ ...at, absolute, signal: context.signal }, newName)
      if (files.length === 0) throw refused('The language server would change nothing. Name the place of a symbol.')
      if (files.length > MOST_FILES)
        throw refused(`That would change ${files.length} files, more than ${MOST_FILES} at once.`)
      const workspace = workspaceOf(context.workspaceId)
      const plan: FilePlan[] = []
      for (const file of files) {
        const place = await writableIn(workspace.paths, file)
        const shown = workspace.paths.display(place.wire)
        if (protectedPart(place.wire.path) !== null)
          throw refused(`It would change ${shown}, a protected place. Nothing was changed.`)
        const { text, hash, dirty } = await workspace.documents.readSaved(place.absolute)
        if (dirty)
          throw refused(
            `${shown} has unsaved changes in the editor. Ask the person to save first. Nothing was changed.`,
          )
        const changes = changesIn(file, text)
        plan.push({
          place,
          shown,
          expect: hash,
          changes,
          patch: createTwoFilesPatch(shown, shown, text, applyChanges(text, changes)),
        })
      }
      // The file that was named is the one the rules are asked about first.
      plan.sort((a, b) => Number(b.place.absolute === absolute) - Number(a.place.absolute === absolute))
      plans.set(context.callId, plan)
      for (const old of [...plans.keys()].slice(0, Math.max(0, plans.size - MOST_PLANS))) plans.delete(old)
      const exact = plan.map(({ patch }) => patch).join('\n')
      return { kind: 'write', path: plan[0]?.place.absolute ?? absolute, creates: false, exact }
    },
    async run(context) {
      const plan = plans.get(context.callId)
      plans.delete(context.callId)
      if (!plan) throw refused('What the rename would do is no longer known. Ask for it again.')
      await refuseForbidden(plan, context)
      const { documents } = workspaceOf(context.workspaceId)
      for (const { place, shown, expect } of plan)
        if ((await documents.readSaved(place.absolute)).hash !== expect)
          throw refused(`${shown} changed meanwhile. Nothing was renamed; ask for it again.`)
      const files = []
      for (const { place, expect, changes } of plan) {
        const path: ResolvedPath = place
        const written = await documents.agentEdit({ path, expect, make: () => changes })
        files.push(await ledgerLine(context, { path: place.wire, ...written }))
      }
      const list = plan.map(({ shown, changes }) => `${shown} (${changes.length})`).join('\n')
      return {
        ...said(`Renamed in ${files.length} ${files.length === 1 ? 'file' : 'files'}:\n${list}`, {
          matches: files.length,
        }),
        files,
      }
    },
  }
}

/** The call itself was asked about with all of it; a rule for another of its files still counts. */
async function refuseForbidden(plan: readonly FilePlan[], context: ToolContext): Promise<void> {
  for (const { place, shown, patch } of plan.slice(1)) {
    const action: Action = { kind: 'write', path: place.absolute, creates: false, exact: patch }
    const { allowed, why } = await context.approve('edit', action)
    if (!allowed) throw refused(`${shown} may not be changed${why ? `: ${why}` : ''}. Nothing was renamed.`)
  }
}
