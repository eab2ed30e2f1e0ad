/** What a start was asked for, read from its arguments: things to open, or a window with none. Pure. */
import { z } from 'zod'

/** Also the message of a second start to the first, so it is parsed there. */
export const Asked = z.object({
  newWindow: z.boolean(),
  /** Folders, files with or without a place, links; as given. */
  targets: z.array(z.string().max(10_000)).max(100),
})
export type Asked = z.infer<typeof Asked>

/**
 * `args`: without the program. Chromium's own switches are none of ours, so an unknown option is passed by; `-` alone is
 * nothing. `--new-window` and `--` mean what they say.
 */
export function readArguments(args: readonly string[]): Asked {
  const end = args.indexOf('--')
  const before = end < 0 ? args : args.slice(0, end)
  const after = end < 0 ? [] : args.slice(end + 1)
  return {
    newWindow: before.includes('--new-window'),
    targets: [...before.filter(each => !each.startsWith('-')), ...after].filter(each => each !== '').slice(0, 100),
  }
}
