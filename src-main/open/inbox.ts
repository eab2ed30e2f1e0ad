/** What the world asks of the app, in the order in which it came: from before the app can show anything until its end. */
import { app } from 'electron'
import { Asked } from './arguments.ts'

/** Something to open, and where relative paths begin. */
export interface Wish {
  readonly asked: Asked
  readonly cwd: string
  /** Of the person's own start, the first or a later one; not a link or file that the system hands over. */
  readonly start: boolean
}

export interface Inbox {
  /** What the app is started for: `own` where that names something, else what the system handed over first, before it was ready. */
  first(own: Wish): Wish
  /** From now on wishes are met, one after the other; those that waited first. `meet` never rejects. */
  serve(meet: (wish: Wish) => Promise<void>): void
}

/** Before the app is ready: macOS hands over files and links before it is. */
export function createInbox(): Inbox {
  const waiting: Wish[] = []
  let meet: ((wish: Wish) => Promise<void>) | null = null
  let work: Promise<void> = Promise.resolve()
  const put = (wish: Wish) => {
    if (!meet) return void waiting.push(wish)
    const next = meet
    work = work.then(() => next(wish))
  }
  const handedOver = (target: string) => put({ asked: { newWindow: false, targets: [target] }, cwd: '/', start: false })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    handedOver(path)
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    handedOver(url)
  })
  app.on('second-instance', (_event, _argv, cwd, data) => {
    const asked = Asked.safeParse(data)
    put({ asked: asked.success ? asked.data : { newWindow: false, targets: [] }, cwd, start: true })
  })
  return {
    first: own => (own.asked.targets.length > 0 || own.asked.newWindow ? own : (waiting.shift() ?? own)),
    serve(handler) {
      meet = handler
      for (const wish of waiting.splice(0)) put(wish)
    },
  }
}
