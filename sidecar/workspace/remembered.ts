/** What Belay remembers of folders, all in the person's profile and never in the folder: recent ones, trust, what was added to each, and its view. */
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { WorkspaceId } from '#contract/id'
import { RootKind } from '#contract/workspace'
import { readJson, writeFileAtomic } from '../base/atomic-file.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import type { AddedFolder } from './roots.ts'

const Recent = z.object({ folders: z.array(z.object({ folder: z.string(), openedAt: z.number() })) })
const Trust = z.object({ folders: z.array(z.string()) })
const Added = z.object({
  folders: z.array(
    z.object({ folder: z.string(), kind: RootKind, alias: z.string().nullable(), readOnly: z.boolean() }),
  ),
})
/** The window's own words for its layout and tabs. */
const View = z.record(z.string(), z.unknown())
const MOST_RECENT = 50

export interface Remembered {
  recent(): Promise<{ folder: string; name: string; openedAt: number; exists: boolean }[]>
  /** In the place of `folder`, where that was known. */
  moved(folder: string, to: string): Promise<void>
  opened(folder: string): Promise<void>
  forget(folder: string): Promise<void>
  /** All of them. */
  areTrusted(reals: readonly string[]): Promise<boolean>
  /** Throws where the profile cannot be written: an answer that is not kept must not look kept. */
  setTrusted(reals: readonly string[], trusted: boolean): Promise<void>
  /** Folders that a person added to a workspace, in that order. */
  added(id: WorkspaceId): Promise<AddedFolder[]>
  /** Throws where the profile cannot be written. */
  saveAdded(id: WorkspaceId, folders: readonly AddedFolder[]): Promise<void>
  view(id: WorkspaceId): Promise<string | null>
  saveView(id: WorkspaceId, view: string): Promise<void>
}

export function createRemembered(folders: Folders, log: Log): Remembered {
  const recentFile = join(folders.data, 'recent.json')
  const trustFile = join(folders.data, 'trust.json')
  const addedFile = (id: WorkspaceId) => join(folders.data, 'roots', `${id}.json`)
  const viewFile = (id: WorkspaceId) => join(folders.data, 'views', `${id}.json`)
  const serial = createSerial()

  const readRecent = async () => (await readJson(recentFile, value => Recent.parse(value), { folders: [] })).folders
  const readTrust = async () => (await readJson(trustFile, value => Trust.parse(value), { folders: [] })).folders
  const writeRecent = async (all: { folder: string; openedAt: number }[]) => {
    await writeFileAtomic(recentFile, JSON.stringify({ folders: all.slice(0, MOST_RECENT) }))
  }

  return {
    async recent() {
      const all = await readRecent()
      return Promise.all(
        all.map(async each => ({
          ...each,
          name: basename(each.folder) || each.folder,
          exists: await stat(each.folder).then(
            facts => facts.isDirectory(),
            () => false,
          ),
        })),
      )
    },
    // A profile that cannot be written costs the list of recent folders, not the opening.
    opened: folder =>
      serial(async () => {
        const others = (await readRecent()).filter(each => each.folder !== folder)
        await writeRecent([{ folder, openedAt: Date.now() }, ...others])
      }).catch(fault => log('warn', 'the list of recent folders could not be written', { fault: String(fault) })),
    moved: (folder, to) =>
      serial(async () => {
        const others = (await readRecent()).filter(each => each.folder !== to)
        await writeRecent(others.map(each => (each.folder === folder ? { ...each, folder: to } : each)))
      }),
    forget: folder => serial(async () => writeRecent((await readRecent()).filter(each => each.folder !== folder))),
    async areTrusted(reals) {
      const trusted = new Set(await readTrust())
      return reals.every(real => trusted.has(real))
    },
    setTrusted: (reals, trusted) =>
      serial(async () => {
        const others = (await readTrust()).filter(each => !reals.includes(each))
        await writeFileAtomic(trustFile, JSON.stringify({ folders: trusted ? [...others, ...reals] : others }))
      }),
    added: async id => (await readJson(addedFile(id), value => Added.parse(value), { folders: [] })).folders,
    saveAdded: (id, added) => serial(() => writeFileAtomic(addedFile(id), JSON.stringify({ folders: added }))),
    view: id => readJson(viewFile(id), value => JSON.stringify(View.parse(value)), null),
    saveView: (id, view) => serial(() => writeFileAtomic(viewFile(id), view)),
  }
}
