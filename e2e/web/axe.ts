/** What axe calls serious or worse on a page, each in a line; empty where all is well. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** `more`: rules that axe does not ask for by itself. */
export async function violations(page: Page, more: readonly string[] = []): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    .options({ rules: Object.fromEntries(more.map(rule => [rule, { enabled: true }])) })
    // Monaco and xterm bring their own accessibility trees.
    .exclude('.monaco-editor')
    .exclude('.xterm')
    .analyze()
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`))
}
