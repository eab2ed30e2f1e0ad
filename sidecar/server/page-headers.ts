/**
 * What the window's page may do, told to the browser with every answer. The page can act as the person: nothing foreign runs
 * in it.
 */

/** Ours (client/trusted-types.ts, ui/monaco), and the names under which Monaco and its sanitiser make trusted HTML. */
const TRUSTED_TYPES_POLICIES = [
  'default',
  'belay-editor-worker',
  'dompurify',
  'defaultWorkerFactory',
  'diffEditorWidget',
  'diffReview',
  'domLineBreaksComputer',
  'editorGhostText',
  'editorViewLayer',
  'richScreenReaderContent',
  'standaloneColorizer',
  'stickyScrollViewLayer',
  'tokenizeToString',
]

/** `connect` lists where the page may connect besides its own origin: `ws://127.0.0.1:4711`; `forms`: it may send one to us. */
function contentSecurityPolicy(connect: readonly string[], { forms = false } = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Monaco and xterm place their lines by style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Two of Monaco's files make a policy of the same name.
    `trusted-types ${TRUSTED_TYPES_POLICIES.join(' ')} 'allow-duplicates'`,
  ].join('; ')
}

/** For every answer, also errors. */
export const pageHeaders = (connect: readonly string[], page: { forms?: boolean } = {}): Record<string, string> => ({
  'Content-Security-Policy': contentSecurityPolicy(connect, page),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Without a referrer a form's origin is said to be "null".
  'Referrer-Policy': page.forms ? 'same-origin' : 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()',
})
