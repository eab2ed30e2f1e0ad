import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MarkdownView } from './markdown-view.tsx'
import { TooltipProvider } from './tooltip.tsx'

const html = (text: string) =>
  renderToStaticMarkup(
    <TooltipProvider>
      <MarkdownView text={text} onLink={() => {}} />
    </TooltipProvider>,
  )

test.each([
  ['raw HTML', '<script>alert(1)</script><img src=x onerror=alert(1)><iframe src="https://e.org"></iframe>'],
  ['a script link', '[x](javascript:alert(1)) [y](data:text/html,<script>1</script>) [z](vbscript:x)'],
  ['a remote picture', '![cat](https://e.org/cat.png)'],
  ['styles', '<p style="position:fixed" onclick="x()">a</p>\n\n<style>*{display:none}</style>'],
])('%s does nothing', (_, text) => {
  const out = html(text)
  expect(out).not.toMatch(/<(script|img|iframe|style)\b/)
  expect(out).not.toMatch(/href="(javascript|data|vbscript)/)
  expect(out).not.toMatch(/<[^>]+ (onerror|onclick|style)=/)
})

test('a picture becomes a link, code a block, tables and tasks stay', () => {
  expect(html('![cat](https://e.org/cat.png)')).toContain('<a href="https://e.org/cat.png"')
  expect(html('```ts\nconst a = 1\n```')).toContain('const a = 1')
  expect(html('| a |\n| - |\n| b |')).toContain('<table>')
  expect(html('- [x] done')).toContain('type="checkbox"')
})
