/** Whose a URL is: ours is `app://belay`, and nothing else is. */
export const APP_SCHEME = 'app'
export const APP_ORIGIN = `${APP_SCHEME}://belay`

export const isOurs = (url: string): boolean => partsOf(url)?.origin === APP_ORIGIN

/** The page itself, not another file of it: the only place a window may go to. */
export const isOurPage = (url: string): boolean => {
  const parts = partsOf(url)
  return parts?.origin === APP_ORIGIN && ['', '/', '/index.html'].includes(parts.path)
}

/** For a log: no path, no query, no name. */
export const originOf = (url: string): string => partsOf(url)?.origin ?? 'no address'

/** By parts: `new URL('app://belay').origin` is the text "null". */
function partsOf(text: string): { origin: string; path: string } | null {
  try {
    const { protocol, host, username, password, pathname } = new URL(text)
    const named = username !== '' || password !== ''
    return { origin: `${protocol}//${named ? '…@' : ''}${host}`, path: pathname }
  } catch {
    return null
  }
}
