/** What a call takes, while it is being written. */
import type { languages } from 'monaco-editor/editor'
import { belay } from '../../../client/index.ts'
import type { Monaco } from '../../../ui/monaco/index.ts'
import { ask } from './ask.ts'
import { toWirePosition } from './position.ts'
import { toMarkdown } from './words.ts'

export function signatureProvider(
  { languages: { SignatureHelpTriggerKind } }: Monaco,
  characters: { readonly triggerCharacters: readonly string[]; readonly retriggerCharacters: readonly string[] },
): languages.SignatureHelpProvider {
  return {
    signatureHelpTriggerCharacters: characters.triggerCharacters,
    signatureHelpRetriggerCharacters: characters.retriggerCharacters,
    async provideSignatureHelp(model, position, token, { triggerKind, triggerCharacter, isRetrigger }) {
      const trigger =
        triggerKind === SignatureHelpTriggerKind.TriggerCharacter
          ? 'character'
          : triggerKind === SignatureHelpTriggerKind.ContentChange
            ? 'change'
            : 'invoked'
      const found = await ask({ model, feature: 'signature', token, whileTyping: true }, (about, options) =>
        belay.language.signature(
          {
            ...about,
            position: toWirePosition(position),
            trigger,
            ...(triggerCharacter ? { character: triggerCharacter } : {}),
            retrigger: isRetrigger,
          },
          options,
        ),
      )
      if (!found || found.signatures.length === 0) return null
      const signatures = found.signatures.map(({ label, documentation, parameters, activeParameter }) => ({
        label,
        ...(documentation ? { documentation: toMarkdown(documentation) } : {}),
        parameters: parameters.map(each => ({
          label: each.label,
          ...(each.documentation ? { documentation: toMarkdown(each.documentation) } : {}),
        })),
        ...(activeParameter === null ? {} : { activeParameter }),
      }))
      const activeParameter = found.signatures[found.active]?.activeParameter ?? 0
      return { value: { signatures, activeSignature: found.active, activeParameter }, dispose() {} }
    },
  }
}
