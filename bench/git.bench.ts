/** The status of a repository in which everything changed, beside `git status` itself in the same run, at two sizes. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createQueues } from '../sidecar/git/repository.ts'
import { createStatus } from '../sidecar/git/status.ts'
import { createPaths } from '../sidecar/workspace/paths.ts'
import { openRoot } from '../sidecar/workspace/roots.ts'

const BAR = 1.5
const RUNS = 9
const FILES_PER_FOLDER = 100
const run = promisify(execFile)
const raw = ['status', '--porcelain=v2', '-z', '--branch', '--untracked-files=all']

/** Half of the files are in a commit and changed since, half are new. */
async function fill(folder: string, files: number): Promise<void> {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.org', '-c', 'gc.auto=0', ...args], {
      cwd: folder,
      stdio: 'ignore',
    })
  const put = async (from: number, to: number, text: string) => {
    for (let at = from; at < to; at += FILES_PER_FOLDER) {
      const place = join(folder, `folder-${Math.floor(at / 5000)}`, `part-${at / FILES_PER_FOLDER}`)
      await mkdir(place, { recursive: true })
      const names = Array.from({ length: Math.min(FILES_PER_FOLDER, to - at) }, (_, each) => `file-${at + each}.ts`)
      await Promise.all(names.map(name => writeFile(join(place, name), `${text} ${name}\n`)))
    }
  }
  git('init', '-q')
  await put(0, files / 2, 'first')
  git('add', '--all')
  git('commit', '-q', '-m', 'first')
  await put(0, files / 2, 'changed')
  await put(files / 2, files, 'new')
}

const median = (all: number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function measure(base: string, files: number): Promise<number> {
  const folder = join(base, String(files))
  await mkdir(folder)
  await fill(folder, files)
  const root = await openRoot(folder)
  const end = new AbortController()
  const status = createStatus({
    ...{
      root,
      inside: '',
      paths: createPaths(() => [root]),
      queues: createQueues(),
      env: process.env,
      signal: end.signal,
    },
    trusted: () => true,
    log: () => {},
  })
  const theirs: number[] = []
  const ours: number[] = []
  for (let at = 0; at <= RUNS; at++) {
    const one = await timed(() => run('git', raw, { cwd: folder, maxBuffer: 1 << 28 }))
    const other = await timed(() => status.now())
    // The first of each warms the caches.
    if (at > 0) {
      theirs.push(one)
      ours.push(other)
    }
  }
  const { counts } = await status.now()
  end.abort()
  await status.dispose()
  if (counts.files !== files) throw new Error(`${counts.files} files were seen, not ${files}`)
  const [git, belay] = [median(theirs), median(ours)]
  const ratio = belay / git
  console.log(
    `${String(files).padStart(6)} changed files   git status ${git.toFixed(0)} ms   Belay ${belay.toFixed(0)} ms   ratio ${ratio.toFixed(2)} (bar ${BAR})`,
  )
  return ratio
}

const base = await mkdtemp(join(tmpdir(), 'belay-bench-git-'))
try {
  const ratios = [await measure(base, 5000), await measure(base, 50_000)]
  if (ratios.some(ratio => ratio > BAR)) process.exitCode = 1
} finally {
  await rm(base, { recursive: true, force: true })
}
