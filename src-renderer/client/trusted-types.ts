/**
 * What becomes of plain text that a library hands to a place where the browser wants a trusted value. Promise: no markup
 * comes into the page this way, and no script but the built ones.
 */
interface Policy {
  createHTML(text: string): string
  createScriptURL(text: string): string
}

/** Called once, before anything is rendered. Browsers without Trusted Types go without. */
export function installTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, policy: Policy): unknown } }
  trustedTypes?.createPolicy('default', { createHTML, createScriptURL })
}

/** Style sheets and words, as Radix sets them: without `<` no element can begin. Everything else is refused. */
export function createHTML(text: string): string {
  if (text.includes('<')) throw new TypeError('Markup that no policy has looked at is not let into the page.')
  return text
}

/** The build's own workers. */
export function createScriptURL(text: string): string {
  const { origin, href } = window.location
  const url = new URL(text, href)
  if (url.origin !== origin || !/^\/assets\/[\w.-]+\.js$/.test(url.pathname)) {
    throw new TypeError('Only Belay’s own scripts run in the page.')
  }
  return text
}
