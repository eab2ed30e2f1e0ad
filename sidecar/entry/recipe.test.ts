/** What the README tells pipelines to write is run as it stands there; what completes words in a shell is read by one. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

let belay: string
let home: string
beforeAll(async () => {
  belay = await bundle(fileURLToPath(new URL('belay.ts', import.meta.url)))
  home = await mkdtemp(join(tmpdir(), 'belay-recipe-'))
}, 60_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  await rm(dirname(belay), { recursive: true, force: true })
})

it('the recipe of the README works, line by line', { timeout: 60_000 }, async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const recipe = /### In a pipeline[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(recipe).toContain('npx belay run')
  const [bin, project] = [join(home, 'bin'), join(home, 'project')]
  await mkdir(bin)
  await mkdir(project)
  await writeFile(join(bin, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${belay}" "$@"\n`)
  await chmod(join(bin, 'npx'), 0o755)
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    BELAY_HOME: join(home, 'belay'),
    MODEL: 'scripted/default',
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: project,
      env,
      stdio: 'pipe',
    })
  git('init', '-q')
  for (const words of ['one', 'two']) {
    await writeFile(join(project, 'a.txt'), `${words}\n`)
    git('add', '.')
    git('commit', '-qm', words)
  }
  const { status, stdout, stderr } = spawnSync('sh', ['-eu', '-c', recipe], {
    cwd: project,
    env,
    encoding: 'utf8',
    timeout: 50_000,
  })
  expect([status, stderr]).toEqual([0, ''])
  // The scripted model says again what it was told: the change is in it, and the second run is of the first one's session.
  expect(stdout).toContain('You said: Review this change.')
  expect(stdout).toContain('+two')
  expect(stdout.trimEnd().endsWith('success')).toBe(true)
})

it.each(['bash', 'zsh', 'fish'])('completes words in %s', shell => {
  const { status, stdout } = spawnSync(process.execPath, [belay, 'completion', shell], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect(status).toBe(0)
  for (const word of ['run', 'doctor', 'max-budget-usd']) expect(stdout).toContain(word)
  if (shell !== 'bash') return
  for (const [typed, at, completed] of [
    ['run --max-b', 2, '--max-budget-usd'],
    ['serve --tls-c', 2, '--tls-cert'],
    ['doc', 1, 'doctor'],
  ] as const) {
    const ask = `${stdout}\nCOMP_WORDS=(belay ${typed}); COMP_CWORD=${at}; _belay; echo "\${COMPREPLY[@]}"`
    expect(spawnSync('bash', ['-c', ask], { encoding: 'utf8', timeout: 20_000 }).stdout.trim()).toBe(completed)
  }
})
