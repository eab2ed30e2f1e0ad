/** The chord of a command as the table has it, for showing beside its button. */
import { type CommandDef, type CommandId, commandTable } from '../commands.ts'

export const chordOf = (id: CommandId): string | undefined => (commandTable[id] as CommandDef<unknown>).keys?.[0]
