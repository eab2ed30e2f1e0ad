/** What can wait at the start: the window is shown and takes keys first, then comes what it will need later. */

/** Milliseconds of peace after the window is there, in which its first key or click is answered. */
const PEACE_MS = 500
/** Shown or not: what waits is not put off for ever. */
const PATIENCE_MS = 30_000

let tell = () => {}
const shown = new Promise<void>(resolve => {
  tell = resolve
  setTimeout(resolve, PATIENCE_MS)
})

/** App's part: what this window was opened for is on the page. Once is enough. */
export const windowIsShown = (): void => tell()

export const whenShown = (): Promise<void> => shown

/** Resolves when the start is over and there is nothing else to do. */
export async function afterStart(): Promise<void> {
  await shown
  await new Promise(resolve => setTimeout(resolve, PEACE_MS))
  await whenIdle()
}

/** Resolves when the page has nothing to do, or has waited for that long enough. */
export const whenIdle = (): Promise<void> =>
  new Promise<void>(resolve => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: 3000 })
    else setTimeout(resolve, 1200)
  })
