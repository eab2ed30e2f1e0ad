/** When a page of Belay can be used: it is connected and its composer takes keys. */

/** `paintMs`: its first paint, since it was asked for; `paintedAt`: the same by the clock on the wall. */
export async function usable(page) {
  await page.getByText('connected', { exact: true }).waitFor({ timeout: 60_000 })
  const composer = page.getByPlaceholder('Ask for a change')
  await composer.waitFor({ timeout: 60_000 })
  await composer.fill('a')
  return page.evaluate(() => {
    const paintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
    return { paintMs, paintedAt: performance.timeOrigin + paintMs }
  })
}
