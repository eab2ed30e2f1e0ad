/** What a person reads where changes are not told by the system: why, what Belay does instead, and what would help. */

export type WatchTrouble =
  | { readonly kind: 'limit' }
  | { readonly kind: 'mount'; readonly type: string }
  | { readonly kind: 'deaf' }
  | { readonly kind: 'fault'; readonly message: string }

const INSTEAD = 'so Belay looks at the open folders every 2 seconds'

export function watchNote(trouble: WatchTrouble): string {
  switch (trouble.kind) {
    case 'limit':
      return `There are so many folders that the limit of watched folders is reached, ${INSTEAD}. Raising fs.inotify.max_user_watches brings live updates back.`
    case 'mount':
      return `This folder is on a disk of another machine (${trouble.type}), which does not tell what others change there, ${INSTEAD}.`
    case 'deaf':
      return `The disk of this folder does not tell of its changes, ${INSTEAD}.`
    case 'fault':
      return `Live updates are not available here (${trouble.message}), ${INSTEAD}.`
  }
}
