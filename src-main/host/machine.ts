/** The machine as the desktop offers it to the sidecar: keys sealed by the platform, its trash, its notifications. */
import { Notification, safeStorage } from 'electron'
import { type Cipher, createSecrets, SEALED } from '../../sidecar/supervise/machine/secrets.ts'
import type { ShellEnvironment } from '../../sidecar/supervise/machine/shell-environment.ts'
import { moveToTrash } from '../../sidecar/supervise/machine/trash.ts'
import type { Machine } from '../../sidecar/supervise/serve-machine.ts'

export function createDesktopMachine(options: {
  dataFolder: string
  instanceId: string
  /** Its maker's to end. */
  environment: ShellEnvironment
}): Machine {
  const secrets = createSecrets({ folder: options.dataFolder, instanceId: options.instanceId, cipher })
  return {
    secretGet: async ({ name }) => ({ value: await secrets.get(name) }),
    secretSet: async ({ name, value }) => {
      await secrets.set(name, value)
      return {}
    },
    secretDelete: async ({ name }) => {
      await secrets.set(name, null)
      return {}
    },
    // Electron's own does not tell where a thing lies, and what was deleted could not be undone.
    trash: async ({ absolute }) => ({ place: await moveToTrash(absolute) }),
    shellEnvironment: async () => ({ env: await options.environment.get() }),
    notify: ({ title, body }) => {
      if (Notification.isSupported()) new Notification({ title, body }).show()
      return {}
    },
  }
}

/** Where the platform has no keychain the file's rights are the only guard, as in the browser form. */
const cipher: Cipher = {
  seal: value =>
    safeStorage.isEncryptionAvailable() ? SEALED + safeStorage.encryptString(value).toString('base64') : value,
  open: sealed => {
    if (!sealed.startsWith(SEALED)) return sealed
    try {
      return safeStorage.decryptString(Buffer.from(sealed.slice(SEALED.length), 'base64'))
    } catch {
      return null
    }
  },
}
