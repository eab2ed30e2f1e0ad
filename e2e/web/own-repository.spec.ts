/** Belay opens Belay: its own checkout, dependencies and all. */
import { repository } from '../fixtures/place.ts'
import { expect, test } from './belay.ts'
import { openFile, ready, showsText, transcript, treeItem, turn } from './window.ts'

test.use({ setup: { opens: () => repository, prepare: place => place.trust(repository) } })

test('finds a file, shows it, and greps', async ({ belay }) => {
  const { page } = belay
  await ready(page)
  await expect(treeItem(page, 'sidecar')).toBeVisible()
  await openFile(page, 'session-fold.ts')
  await showsText(page, 'The only interpreter of session events')
  await turn(page, 'find foldSession')
  await expect(transcript(page)).toContainText('sidecar/contract/session-fold.ts')
})
