/**
 * One child kept alive: started, told its facts, watched, started again with growing pauses, given up after too many quick
 * crashes until a person asks. Promise: at most one process at a time, and what a crashed one left running is ended.
 */
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import type { ChildState } from '#contract/host'
import { endLedger } from '../base/child-ledger.ts'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { type Log, withoutSecrets } from '../base/log.ts'
import type { StartMessage } from '../base/parent.ts'
import { endProcesses } from '../base/process-tree.ts'
import { causeOf } from './cause.ts'
import type { ChildName, Fork, ForkedChild } from './fork.ts'
import { type Pulse, startPulse } from './pulse.ts'

export interface Timing {
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** Ready for this long: earlier crashes are forgotten. */
  readonly healthyMs: number
  /** This many crashes without health in between: given up. */
  readonly crashes: number
  readonly startTimeoutMs: number
  /** From the closed channel to TERM. */
  readonly goodbyeMs: number
  /** From TERM to KILL, for it and for what it left running. */
  readonly graceMs: number
  /** Between two questions whether it still answers. */
  readonly lookMs: number
  /** Alive and without an answer for this long: said. */
  readonly silentMs: number
  /** And for this long: ended and started anew, where that is done unasked (`endsWhenSilent`). */
  readonly lostMs: number
}

export const usualTiming: Timing = {
  firstPauseMs: 200,
  longestPauseMs: 10_000,
  healthyMs: 30_000,
  crashes: 6,
  startTimeoutMs: 60_000,
  goodbyeMs: 3500,
  graceMs: 1000,
  lookMs: 2000,
  silentMs: 8000,
  lostMs: 30_000,
}

export interface WatchedChild {
  readonly state: ChildState
  readonly changed: Emitter<ChildState>
  start(): void
  /** Ends it if it runs and starts it anew at once, past crashes forgotten. */
  restart(): Promise<void>
  /** False when it is not ready: nothing was sent. */
  send(message: unknown, ports?: readonly unknown[]): boolean
  /** The last lines it printed, keys struck out. */
  lines(): readonly string[]
  /** Channel closed, TERM, KILL; resolves after reaping. Never rejects; no start afterwards. */
  stop(): Promise<void>
}

const KEPT_LINES = 200
const LAST_WORDS_MS = 250

interface Life {
  readonly forked: ForkedChild
  readonly gone: Promise<void>
  ready: boolean
  pulse: Pulse | null
}

export function watchChild(options: {
  name: ChildName
  fork: Fork
  startMessage: () => StartMessage
  /** A conversation with each process, beside start and ready. */
  talk?: (send: (message: unknown) => void) => { receive(message: unknown): void; close(): void }
  /** Where the child writes down what it starts. */
  ledger: string
  onPid: (pid: number, running: boolean) => void
  /** Whether it is started anew unasked when it no longer answers. Never for what would end a person's programs. */
  endsWhenSilent: boolean
  log: Log
  timing?: Timing
}): WatchedChild {
  const { name, log } = options
  const timing = options.timing ?? usualTiming
  const changed = createEmitter<ChildState>()
  const lines: string[] = []
  /** Lines that its present life printed: an earlier one's error is not why this one ended. */
  let ofLife = 0
  let state: ChildState = { child: name, state: 'starting', retryInMs: null, message: null }
  let life: Life | null = null
  let crashes = 0
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const become = (next: Omit<ChildState, 'child'>) => {
    state = { child: name, ...next }
    changed.emit(state)
  }
  const keep = (line: string) => {
    lines.push(withoutSecrets(line).slice(0, 2000))
    ofLife += 1
    if (lines.length > KEPT_LINES) lines.shift()
    log('debug', line, { child: name })
  }
  const wait = (ms: number, then: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(then, ms)
  }
  const crashed = (how: string) => {
    life = null
    void endLedger(options.ledger, timing.graceMs)
    if (stopped) return
    crashes++
    const message = [how, causeOf(ofLife > 0 ? lines.slice(-ofLife) : [])].filter(Boolean).join(': ')
    log('warn', 'a child ended unexpectedly', { child: name, how, crashes })
    if (crashes >= timing.crashes) {
      clearTimeout(timer)
      return become({ state: 'failed', retryInMs: null, message })
    }
    const pauseMs = Math.min(timing.longestPauseMs, timing.firstPauseMs * 2 ** (crashes - 1))
    become({ state: 'restarting', retryInMs: pauseMs, message })
    wait(pauseMs, start)
  }
  const listenTo = (of: Life) => {
    const { lookMs, silentMs } = timing
    const lostMs = options.endsWhenSilent ? timing.lostMs : null
    const tellOf = (next: Omit<ChildState, 'child' | 'message'>) => {
      if (life === of) become({ ...next, message: null })
    }
    of.pulse = startPulse(
      { lookMs, silentMs, lostMs },
      {
        ask: () => of.forked.send({ kind: 'ping' }),
        onSilent() {
          log('warn', 'a child does not answer', { child: name, silentMs })
          tellOf({ state: 'silent', retryInMs: lostMs && lostMs - silentMs })
        },
        onBack: () => tellOf({ state: 'ready', retryInMs: null }),
        onLost() {
          keep(`no answer for ${Math.round(timing.lostMs / 1000)} s`)
          void endLife(of, 0)
        },
      },
    )
  }
  const becameReady = (of: Life) => {
    of.ready = true
    listenTo(of)
    become({ state: 'ready', retryInMs: null, message: null })
    wait(timing.healthyMs, () => {
      crashes = 0
    })
    timer?.unref()
  }
  const start = () => {
    if (stopped || life) return
    ofLife = 0
    become({ state: 'starting', retryInMs: null, message: null })
    let forked: ForkedChild
    try {
      forked = options.fork(name)
    } catch (fault) {
      return crashed(String(fault))
    }
    let pid: number | null = null
    const talk = options.talk?.(forked.send)
    const printed = Promise.all(
      forked.output.map(async input => {
        for await (const line of createInterface({ input })) keep(line)
      }),
    ).catch(() => {})
    const mine: Life = {
      forked,
      ready: false,
      pulse: null,
      gone: new Promise(resolve =>
        forked.onExit(how => {
          if (pid !== null) options.onPid(pid, false)
          talk?.close()
          mine.pulse?.stop()
          mine.ready = false
          resolve()
          // What it said last is still on its way, and says why. Who has its output from it may hold that open for long.
          void Promise.race([printed, after(LAST_WORDS_MS, undefined, { ref: false })]).then(() => {
            if (life === mine) crashed(how)
          })
        }),
      ),
    }
    life = mine
    forked.onStarted(known => {
      pid = known
      options.onPid(known, true)
    })
    forked.onMessage(message => {
      mine.pulse?.heard()
      if ((message as { kind?: unknown } | null)?.kind !== 'ready') talk?.receive(message)
      else if (life === mine) becameReady(mine)
    })
    forked.send(options.startMessage())
    wait(timing.startTimeoutMs, () => {
      keep(`not ready within ${timing.startTimeoutMs} ms`)
      void endLife(mine, 0)
    })
  }
  const endLife = async ({ forked, gone }: Life, goodbyeMs: number) => {
    forked.disconnect()
    const late = setTimeout(() => {
      if (forked.pid !== undefined)
        void endProcesses([{ pid: forked.pid, startedAt: null }], { graceMs: timing.graceMs })
    }, goodbyeMs)
    await gone
    clearTimeout(late)
    await endLedger(options.ledger, timing.graceMs)
  }
  const endCurrent = async () => {
    clearTimeout(timer)
    const current = life
    const deaf = state.state === 'silent'
    life = null
    // One that hears nothing is not asked to end by itself.
    if (current) await endLife(current, deaf ? 0 : timing.goodbyeMs)
  }
  return {
    get state() {
      return state
    },
    changed,
    start,
    async restart() {
      crashes = 0
      await endCurrent()
      start()
    },
    send(message, ports) {
      if (!life?.ready) return false
      life.forked.send(message, ports)
      return true
    },
    lines: () => lines,
    async stop() {
      stopped = true
      await endCurrent()
    },
  }
}
