import { expect, it } from 'vitest'
import { explorerState, resetExplorer } from './explorer-state.ts'

it('another workspace answers what was still asked about the one before', async () => {
  const answered = new Promise(decide => explorerState.setState({ following: { texts: [], decide } }))
  resetExplorer()
  expect(await answered).toBeNull()
  expect(explorerState.getState().following).toBeNull()
})
