/** Serves the window's page from disk as `app://belay/`: a secure origin of its own. */
import { protocol } from 'electron'
import { appAnswers } from './app-answers.ts'
import { APP_SCHEME } from './page-origin.ts'

/** Before the app is ready, or the scheme has no rights. No service workers, no way round its CSP. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

export const serveApp = (folder: string): void => protocol.handle(APP_SCHEME, appAnswers(folder))
