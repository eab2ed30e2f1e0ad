/** What a window may know of how this Belay got here: its sources, the licences beside it, its command in the person's terminals. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Handlers } from '#contract/define'
import type { HostContract } from '#contract/supervision'
import { resourcesOf } from '../base/node-program.ts'
import { buildStamp, LICENCES_FILE } from './build-stamp.ts'
import { builtFiles } from './built.ts'
import { shellCommand } from './shell-command.ts'

export type InstalledHandlers = Pick<Handlers<HostContract>['host'], 'about' | 'shellCommand'>

/** `environment`: of the person's terminals, for their PATH. */
export function installedHandlers(
  environment: () => Promise<Readonly<Record<string, string | undefined>>>,
): InstalledHandlers {
  const here = import.meta.dirname
  const resources = resourcesOf(builtFiles(here).belay)
  const licences = resources === null ? null : join(resources, LICENCES_FILE)
  return {
    about: () => ({
      ...(buildStamp(here) ?? { commit: null, date: null }),
      licences: licences !== null && existsSync(licences) ? licences : null,
    }),
    shellCommand: async ({ wish }) => {
      const { PATH } = await environment()
      const env = { PATH, APPIMAGE: process.env.APPIMAGE }
      return shellCommand({ platform: process.platform, home: homedir(), env, resources }, wish)
    },
  }
}
