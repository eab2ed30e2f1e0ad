/** The folder that somebody asked Belay to open, checked before anything starts. */
import { access, constants, readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { BelayError, toFault } from '#contract/error'

/** The full path. Throws `not_found`, `not_a_folder` or `no_permission`, in words for the person. Relative to `cwd`. */
export async function folderArgument(text: string, cwd: string): Promise<string> {
  const asked = /^~(?=$|[/\\])/.test(text) ? join(homedir(), text.slice(1)) : resolve(cwd, text)
  try {
    const folder = await realpath(asked)
    if (!(await stat(folder)).isDirectory()) {
      throw new BelayError('not_a_folder', `${folder} is a file. Belay opens folders: try ${dirname(folder)}.`)
    }
    await access(folder, constants.R_OK | constants.X_OK)
    await readdir(folder)
    return folder
  } catch (fault) {
    throw inWords(asked, fault)
  }
}

function inWords(asked: string, fault: unknown): BelayError {
  const { code, message } = toFault(fault)
  if (code === 'not_a_folder' && !message.startsWith('ENOTDIR')) return fault as BelayError
  const words: Partial<Record<typeof code, string>> = {
    not_found: `There is no folder ${asked}. Nothing was opened; check the path.`,
    not_a_folder: `${asked} leads through a file. Nothing was opened; check the path.`,
    no_permission: `You may not read the folder ${asked}. Nothing was opened; ask for access or choose another.`,
  }
  return new BelayError(code, words[code] ?? `${asked} could not be opened: ${message}`, { cause: fault })
}
