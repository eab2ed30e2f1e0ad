/** Keeps the mirror of the jail: whether it holds, and what is missing. */
import { jailStore } from '../state/mirror/jail-store.ts'
import { belay, follow } from './index.ts'

/** Call once. */
export function followJail(): void {
  follow({
    open: () => belay.sandbox.status({}),
    onSnapshot: status => jailStore.setState({ status }),
    events: { 'sandbox/changed': status => jailStore.setState({ status }) },
  })
}

/** Looks at the machine again: something may have been installed meanwhile. Rejects with words. */
export async function lookAtJail(): Promise<void> {
  jailStore.setState({ status: await belay.sandbox.status({}) })
}
