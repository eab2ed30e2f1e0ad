/** The end of a start that found the app running: the first one opens what was asked for, this one says whether it can be. */
import { app } from 'electron'
import { toFault } from '#contract/error'
import type { Asked } from './arguments.ts'
import { isLink } from './link.ts'
import { findTarget } from './target.ts'

/** Exit code 1, and words on stderr, where something of it is not there; the first one tells the same in a dialog. */
export async function endSecond({ targets }: Asked, cwd: string): Promise<void> {
  let code = 0
  for (const target of targets.filter(each => !isLink(each))) {
    await findTarget(target, cwd).catch(fault => {
      code = 1
      process.stderr.write(`belay: ${toFault(fault).message}\n`)
    })
  }
  app.exit(code)
}
