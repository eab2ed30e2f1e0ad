/** What of a command line the packaged app does not start with, and what a person may well have written. */
import { expect, test } from 'vitest'
import { refusedSwitch } from './switches.ts'

const packaged = { packaged: true, root: false, platform: 'linux' } as const
const refused = (...argv: string[]) => refusedSwitch(argv, packaged)

test.each([
  '--inspect',
  '--inspect=0.0.0.0:9229',
  '--inspect-brk=1',
  '-inspect',
  '--remote-debugging-port=9222',
  '--remote-debugging-pipe',
  '--remote-allow-origins=*',
  '--js-flags=--expose-gc',
  '--no-sandbox',
  '--NO-SANDBOX',
  '--disable-gpu-sandbox',
  '--disable-setuid-sandbox',
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--disable-site-isolation-trials',
  '--allow-file-access-from-files',
  '--ignore-certificate-errors',
  '--load-extension=/tmp/x',
  '--renderer-cmd-prefix=xterm -e',
  '--gpu-launcher=calc',
  '--browser-subprocess-path=/tmp/x',
  '--host-resolver-rules=MAP * 127.0.0.1',
  '--log-file=/home/me/.bashrc',
  '--ssl-key-log-file=/tmp/keys',
])('%s is refused, wherever it stands', written => {
  expect(refused('/home/me/work', written)).toBe(written)
})

test('switches of screens, languages and proxies are the person’s; so is every word after --', () => {
  const theirs = ['--ozone-platform=wayland', '--disable-gpu', '--lang=zh-CN', '--proxy-server=http://127.0.0.1:3128']
  expect(refused(...theirs, '--force-device-scale-factor=2', '--enable-features=WaylandWindowDecorations')).toBeNull()
  expect(refused('/inspect', '/home/me/--inspect', 'belay://open?x=--inspect')).toBeNull()
  expect(refused('--', '--inspect')).toBeNull()
})

test('Windows knows one more way to write them; root has no sandbox to give up; who builds Belay may debug it', () => {
  expect(refusedSwitch(['/inspect'], { ...packaged, platform: 'win32' })).toBe('/inspect')
  expect(refusedSwitch(['--no-sandbox'], { ...packaged, root: true })).toBeNull()
  expect(refusedSwitch(['--no-sandbox', '--inspect'], { ...packaged, root: true })).toBe('--inspect')
  expect(refusedSwitch(['--inspect'], { ...packaged, packaged: false })).toBeNull()
})
