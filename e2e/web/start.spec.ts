/** The start: the window takes keys before anything is fetched that it needs only later. */
import { expect, test } from './belay.ts'
import { field, ready } from './window.ts'

test('until the composer takes keys the window fetches its own code only; a reload comes back to the folder', async ({
  belay,
}) => {
  const { page } = belay
  await page.addInitScript(() => {
    const fetched = () => performance.getEntriesByType('resource').map(each => each.name.replace(/.*\//, ''))
    const look = new MutationObserver(() => {
      if (!document.querySelector('[data-part="agent"] textarea')) return
      look.disconnect()
      Object.assign(window, { fetchedBefore: fetched() })
    })
    look.observe(document, { subtree: true, childList: true })
  })
  await page.reload()
  await expect(field(page)).toBeVisible()
  const before = await page.evaluate(() => (window as unknown as { fetchedBefore: string[] }).fetchedBefore)
  const scripts = before.filter(name => name.endsWith('.js')).map(name => name.replace(/-[\w-]{8}\.js$/, ''))
  expect(scripts.sort()).toEqual(['index', 'main'])
  // The rest comes by itself, so that the first file is shown at once.
  await ready(page)
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByType('resource').some(each => /monaco/.test(each.name))))
    .toBe(true)
  // A browser can install it as an app, with icons of its own.
  const pictures = await page.evaluate(async () => {
    const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.href ?? ''
    const { name, icons } = (await (await fetch(manifest)).json()) as {
      name: string
      icons: { src: string; sizes: string }[]
    }
    const sizes = icons.map(async ({ src, sizes }) => {
      const { width, height } = await createImageBitmap(await (await fetch(new URL(src, manifest))).blob())
      return `${width}x${height}` === sizes
    })
    return { name, right: await Promise.all(sizes) }
  })
  expect(pictures).toEqual({ name: 'Belay', right: [true, true, true, true] })
})
