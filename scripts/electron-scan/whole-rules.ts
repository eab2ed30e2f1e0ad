/** Rules about what must be there somewhere in the shell: without it a default of Chromium's lets pages do as they like. */
import type { Rule } from './rule.ts'

const there = (id: string, pattern: RegExp, why: string): Rule => ({ id, why, missing: shell => !pattern.test(shell) })

export const wholeRules: readonly Rule[] = [
  there('LIMIT_NAVIGATION', /'will-navigate'/, 'a page could leave ours and keep the bridge'),
  there('LIMIT_FRAME_NAVIGATION', /'will-frame-navigate'/, 'a frame could go anywhere'),
  there('LIMIT_REDIRECTS', /'will-redirect'/, 'a page could be led away'),
  // AUXCLICK too: a middle click closes tabs here, and what it would open comes to this handler.
  there('LIMIT_NEW_WINDOWS', /setWindowOpenHandler\(/, 'a page could open windows'),
  there('WEBVIEW_ATTACH', /'will-attach-webview'/, 'a page could embed another'),
  there('PERMISSION_REQUEST_HANDLER', /setPermissionRequestHandler\(/, 'Electron grants what nobody denies'),
  there('PERMISSION_CHECK_HANDLER', /setPermissionCheckHandler\(/, 'Electron grants what nobody denies'),
  there('DEVICE_PERMISSION_HANDLER', /setDevicePermissionHandler\(/, 'Electron remembers devices that were granted'),
  there('DISPLAY_MEDIA_HANDLER', /setDisplayMediaRequestHandler\(/, 'a page could see the screen'),
  there('BLUETOOTH', /'select-bluetooth-device'/, 'Electron chooses the first device'),
  there('CLIENT_CERTIFICATE', /'select-client-certificate'/, 'Electron sends the first certificate'),
  there('DOWNLOADS', /'will-download'/, 'a page could write files'),
  there('REQUESTS', /onBeforeRequest\(/, 'a page could ask the network'),
  there('APP_SANDBOX', /enableSandbox\(\)/, 'a window that forgets its sandbox would have none'),
  there('CSP', /= pageHeaders\(/, 'no policy, any script'),
]
