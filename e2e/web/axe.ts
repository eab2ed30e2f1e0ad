/** What axe calls serious or worse on a page, each in a line; empty where all is well. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

export async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    // Monaco and xterm bring their own accessibility trees.
    .exclude('.monaco-editor')
    .exclude('.xterm')
    .analyze()
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`))
}
