/** The first lines that run: the remembered theme before anything is painted in it, the way to the core, then the window itself. */
import { openEarly } from './client/early-socket.ts'

// The page may not make code out of text (CSP), and zod need not try: set before any schema is made.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

try {
  const { theme } = JSON.parse(localStorage.getItem('belay.look') ?? '{}') as { theme?: unknown }
  if (/^(dark|light|contrast(-light)?)$/.test(String(theme))) document.documentElement.dataset.theme = String(theme)
} catch {
  // Nothing remembered: the system's theme.
}

if (!('belay' in window)) openEarly()
void import('./main.tsx')
