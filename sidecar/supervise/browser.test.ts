/** Links that leave Belay: which ones do, and that no shell ever sees them. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkedExternal, openPlainly } from './browser.ts'

describe('a link to the outside', () => {
  it.each([
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/'],
    ['https://a.example/"; touch x; "', 'https://a.example/%22;%20touch%20x;%20%22'],
    ['https://a.example/\u202ecod.exe', 'https://a.example/%E2%80%AEcod.exe'],
  ])('%s is opened', (text, href) => {
    expect(checkedExternal(text)).toBe(href)
  })

  it.each([
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'http://example.org/',
      'http://localhost.evil.example/',
    ],
    ...[
      'vscode://x',
      'ms-msdt:/id',
      'smb://host/share',
      'ssh://-oProxyCommand=x',
      '-oX',
      '$(touch x)',
      '',
      'about:blank',
    ],
  ])('%s is not', text => {
    expect(() => checkedExternal(text)).toThrow()
  })

  it.skipIf(process.platform !== 'linux')('reaches the opener as one argument, byte for byte', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'belay-open-'))
    try {
      const seen = join(folder, 'seen')
      const opener = `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`
      await writeFile(join(folder, 'xdg-open'), opener, { mode: 0o755 })
      const url = checkedExternal(`https://a.example/$(touch ${folder}/ran);\`id\`&x|y`)
      expect(openPlainly(url, { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0' })).toBe(true)
      await expect.poll(() => readFile(seen, 'utf8').catch(() => ''), { timeout: 5000 }).toBe(`1\n${url}\n`)
      await expect(readFile(join(folder, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' })
      expect(openPlainly(url, { PATH: folder })).toBe(false)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
