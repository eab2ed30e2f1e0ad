/** The `review` domain: what was changed since, answered out of a session's log or git, and what a person decides about it. */
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { RootId, WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { pathKey, type WirePath } from '#contract/path'
import { MOST_REVIEW_BYTES, type ReviewChoice, type ReviewFile, type ReviewScope } from '#contract/review'
import { accept } from './accept.ts'
import { type Acted, newReviewId, nothingDone } from './choose.ts'
import { createGitActs } from './git-acts.ts'
import { createGitScope, type GitLook } from './git-scope.ts'
import { createHeldNow } from './held.ts'
import { createNews, type News } from './news.ts'
import type { ReviewedSession, ReviewPorts } from './ports.ts'
import { revertEach } from './revert.ts'
import { createSessionScopes, type Look } from './session-scope.ts'
import { lastAct, undo } from './undo.ts'
import type { View } from './view.ts'

/** Files of one list. */
const MOST_LISTED = 2000
/** Between files others get their turn. */
const pause = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

type ReviewHandlers = Handlers<BelayContract>['review']
type Here = { workspaceId: WorkspaceId; scope: ReviewScope }

export interface Review extends News {
  readonly handlers: ReviewHandlers
}

export function createReview(ports: ReviewPorts): Review {
  const heldNow = createHeldNow()
  const lookAt = createSessionScopes(ports, heldNow)
  const lookAtGit = createGitScope(ports.git, heldNow)
  const gitActs = createGitActs(lookAtGit)

  const inSession = <T>({ workspaceId, scope }: Here, work: (look: Look) => Promise<T>): Promise<T> => {
    if (scope.kind === 'git')
      throw new BelayError('unsupported', 'What differs from HEAD is not found good here: stage it instead.')
    const { sessionId } = scope
    const turn = scope.kind === 'session' ? null : (scope.turnId ?? 'latest')
    return lookAt({ workspaceId, sessionId, turn }, look => {
      if (look.session.workspaceId !== workspaceId)
        throw new BelayError('invalid', 'This conversation belongs to another folder. Open that one to review it.')
      return work(look)
    })
  }
  const looking = <T>(here: Here, work: (look: Look | GitLook) => Promise<T>): Promise<T> =>
    here.scope.kind === 'git' ? lookAtGit(ports.workspace(here.workspaceId)).then(work) : inSession(here, work)

  const viewIn = async (look: Look | GitLook, path: WirePath): Promise<View> => {
    const view = await look.view(path)
    if (view) return view
    throw new BelayError('not_found', 'Nothing of this file is left to look at here.')
  }

  return {
    ...createNews(ports),
    handlers: {
      list: here =>
        looking(here, async look => {
          const files: ReviewFile[] = []
          const others: ReviewFile[] = []
          for (const path of look.paths.slice(0, MOST_LISTED)) {
            const view = await look.view(path).catch(() => null)
            if (view) (view.file.left > 0 ? files : others).push(view.file)
            await pause()
          }
          const truncated = look.paths.length > MOST_LISTED || ('truncated' in look && look.truncated)
          const last = 'session' in look ? lastAct(look.session.state) : gitActs.last(here.workspaceId)
          const order = orderOf(ports.workspace(here.workspaceId).info.roots)
          return { files: files.sort(order), others: others.sort(order), lastAct: last, truncated }
        }),
      file: ({ path, ...here }) =>
        looking(here, async look => {
          const { file, version, track, hunks } = await viewIn(look, path)
          const shown = file.kind === 'text' || file.kind === 'lineEnds'
          return {
            file,
            version,
            base: shown ? track.base.text : null,
            now: shown ? track.now.text : null,
            nowHash: track.now.hash,
            hunks: shown ? hunks.map(({ hunk: _, ...each }) => each) : [],
          }
        }),
      picture: ({ path, side, ...here }) =>
        looking(here, async look => {
          const { track } = await viewIn(look, path)
          const bytes = (await track[side].bytes?.()) ?? null
          const sent = bytes && bytes.length <= MOST_REVIEW_BYTES ? Buffer.from(bytes).toString('base64') : null
          return { base64: sent, mediaType: mediaTypeOf(path.path) }
        }),
      accept: ({ choices, ...here }, { clientId }) =>
        inSession(here, async look => accept(look, choices ?? (await everything(look)), ports.nameOf(clientId))),
      revert: ({ choices, ...here }, { clientId }) => {
        const workspace = ports.workspace(here.workspaceId)
        if (here.scope.kind === 'git') return gitActs.revert(workspace, async look => choices ?? everything(look))
        return inSession(here, async ({ session, view, paths }): Promise<Acted> => {
          const chosen = choices ?? (await everything({ view, paths }))
          const { files, left } = await revertEach({ workspace, keeper: session, view }, chosen)
          if (files.length === 0) return { ...nothingDone, left }
          const reviewId = newReviewId()
          await session.append({ type: 'review.reverted', reviewId, files, by: ports.nameOf(clientId) })
          return { reviewId, files: files.length, left }
        })
      },
      undo: ({ reviewId, ...here }, { clientId }) => {
        const workspace = ports.workspace(here.workspaceId)
        if (here.scope.kind === 'git') return gitActs.undo(workspace, reviewId)
        return ports.session(here.scope.sessionId, async (session: ReviewedSession): Promise<Acted> => {
          const id = reviewId ?? lastAct(session.state)
          return id ? undo(session, workspace, id, ports.nameOf(clientId)) : nothingDone
        })
      },
    },
  }
}

/** All of the scope that is to be looked at, file by file. */
async function everything(look: Pick<Look, 'paths' | 'view'>): Promise<ReviewChoice[]> {
  const choices: ReviewChoice[] = []
  for (const path of look.paths) {
    const view = await look.view(path).catch(() => null)
    if (view && view.file.left > 0) choices.push({ path, hunks: null, version: view.version })
    await pause()
  }
  return choices
}

/** As the folders stand in the workspace, then by path; what is in none of them any more comes last. */
function orderOf(roots: readonly { readonly rootId: RootId }[]): (a: ReviewFile, b: ReviewFile) => number {
  const places = new Map(roots.map(({ rootId }, at) => [rootId, at]))
  const placeOf = ({ path }: ReviewFile) => places.get(path.rootId) ?? roots.length
  return (a, b) => placeOf(a) - placeOf(b) || (pathKey(a.path) < pathKey(b.path) ? -1 : 1)
}

const mediaTypes: Record<string, string> = { jpg: 'image/jpeg', ico: 'image/x-icon' }
const mediaTypeOf = (path: string): string => {
  const end = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return mediaTypes[end] ?? `image/${end}`
}
