/** `powerMonitor` and `powerSaveBlocker`: the machine sleeps and wakes when a test says so. */
import { EventEmitter } from 'node:events'
import { seen } from '../record.ts'
import { type EventsOf, part } from '../typed.ts'

type Monitor = Electron.PowerMonitor
export type PowerEvent = 'suspend' | 'resume' | 'on-ac' | 'on-battery' | 'lock-screen' | 'unlock-screen' | 'shutdown'

class DoublePowerMonitor
  extends EventEmitter<EventsOf<Monitor>>
  implements Pick<Monitor, 'getSystemIdleState' | 'getSystemIdleTime' | 'isOnBatteryPower' | 'onBatteryPower'>
{
  onBatteryPower = false
  #locked = false

  happens(event: PowerEvent): void {
    if (event === 'on-ac' || event === 'on-battery') this.onBatteryPower = event === 'on-battery'
    if (event === 'lock-screen' || event === 'unlock-screen') this.#locked = event === 'lock-screen'
    this.emit(event)
  }
  isOnBatteryPower(): boolean {
    return this.onBatteryPower
  }
  getSystemIdleState(): ReturnType<Monitor['getSystemIdleState']> {
    return this.#locked ? 'locked' : 'active'
  }
  getSystemIdleTime(): number {
    return 0
  }
}

export const powerMonitor = new DoublePowerMonitor()

const blockers = new Map<number, string>()
const note = () => {
  seen.awake = [...blockers.values()]
}
let lastBlocker = 0
export const powerSaveBlocker = part<Electron.PowerSaveBlocker>({
  start(type) {
    blockers.set(++lastBlocker, type)
    note()
    return lastBlocker
  },
  stop(id) {
    const was = blockers.delete(id)
    note()
    return was
  },
  isStarted: id => blockers.has(id),
})
