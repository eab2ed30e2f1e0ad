/** What a person reads where changes are not told by the system: why, what Belay does instead, and what would help. */

export type WatchTrouble =
  | { readonly kind: 'limit' }
  | { readonly kind: 'mount'; readonly type: string }
  | { readonly kind: 'deaf' }
  | { readonly kind: 'fault'; readonly message: string }

const INSTEAD = 'so Belay looks at the folders you have open every 2 seconds instead'

export function watchNote(trouble: WatchTrouble): string {
  switch (trouble.kind) {
    case 'limit':
      return `Watching this folder would take more than a quarter of the folders that this system watches for you: the limit of watched folders is reached, ${INSTEAD}. Raising fs.inotify.max_user_watches brings live updates back.`
    case 'mount':
      return `This folder is on a disk of another machine (${trouble.type}), which does not tell what others change there, ${INSTEAD}.`
    case 'deaf':
      return `The disk of this folder does not tell of its changes, ${INSTEAD}.`
    case 'fault':
      return `Live updates are not available here (${trouble.message}), ${INSTEAD}.`
  }
}
