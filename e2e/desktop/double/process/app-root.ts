/** Where the app is: the folder of the package.json above its main file, which is the first argument of run.ts. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

function rootOf(main: string): string {
  for (let folder = dirname(main); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) return dirname(main)
  }
}

export const mainFile = resolve(process.argv[2] ?? '')
export const appRoot = rootOf(mainFile)
