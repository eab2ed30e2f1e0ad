/** `screen`: the displays a test has set up, and may plug in and pull out. */
import { EventEmitter } from 'node:events'
import { options } from '../options.ts'
import { type EventsOf, part, preventable } from '../typed.ts'
import { app } from './app.ts'

type Screen = Electron.Screen
type Rectangle = Electron.Rectangle

const overlap = (one: Rectangle, other: Rectangle) =>
  Math.max(0, Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)) *
  Math.max(0, Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y))

class DoubleScreen
  extends EventEmitter<EventsOf<Screen>>
  implements
    Pick<
      Screen,
      'getAllDisplays' | 'getCursorScreenPoint' | 'getDisplayMatching' | 'getDisplayNearestPoint' | 'getPrimaryDisplay'
    >
{
  #displays = displaysOf(options.displays ?? [{ x: 0, y: 0, width: 1920, height: 1080 }])

  /** What is plugged in from now on. */
  plug(bounds: readonly Rectangle[]): void {
    const before = this.#displays
    this.#displays = displaysOf(bounds)
    const has = (all: Electron.Display[], one: Electron.Display) => all.some(({ id }) => id === one.id)
    for (const display of before) {
      if (!has(this.#displays, display)) this.emit('display-removed', preventable(), display)
    }
    for (const display of this.#displays) {
      if (!has(before, display)) this.emit('display-added', preventable(), display)
      else this.emit('display-metrics-changed', preventable(), display, ['bounds', 'workArea'])
    }
  }

  getAllDisplays(): Electron.Display[] {
    this.#whenReady()
    return this.#displays
  }
  getPrimaryDisplay(): Electron.Display {
    const [primary] = this.getAllDisplays()
    if (!primary) throw new Error('electron double: no display is plugged in')
    return primary
  }
  getDisplayMatching(bounds: Rectangle): Electron.Display {
    const [best] = this.getAllDisplays().toSorted(
      (one, other) => overlap(other.bounds, bounds) - overlap(one.bounds, bounds),
    )
    return best ?? this.getPrimaryDisplay()
  }
  getDisplayNearestPoint({ x, y }: Electron.Point): Electron.Display {
    return this.getDisplayMatching({ x, y, width: 1, height: 1 })
  }
  getCursorScreenPoint(): Electron.Point {
    return { x: 0, y: 0 }
  }
  #whenReady(): void {
    if (!app.isReady()) throw new Error("The 'screen' module can't be used before the app 'ready' event")
  }
}

/** A bar of 32 pixels is the system's. */
function displaysOf(all: readonly Rectangle[]): Electron.Display[] {
  return all.map((bounds, at) => {
    const workArea = { ...bounds, y: bounds.y + 32, height: bounds.height - 32 }
    return part<Electron.Display>({
      id: at + 1,
      label: `Display ${at + 1}`,
      bounds,
      workArea,
      size: { width: bounds.width, height: bounds.height },
      workAreaSize: { width: workArea.width, height: workArea.height },
      scaleFactor: 1,
      rotation: 0,
      internal: at === 0,
    })
  })
}

export const screen = new DoubleScreen()
