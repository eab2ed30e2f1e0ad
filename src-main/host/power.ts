/** The sleep of the machine: told when it is over, and kept away while the agent works. */
import type { PowerMonitor, PowerSaveBlocker } from 'electron'

export interface Power {
  keepAwake(on: boolean): void
  /** Lets the machine sleep, and hears of nothing more. */
  dispose(): void
}

/** After the app is ready. */
export function createPower(
  powerMonitor: Pick<PowerMonitor, 'on' | 'off'>,
  powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>,
  onResumed: () => void,
): Power {
  let blocker: number | null = null
  const keepAwake = (on: boolean) => {
    if (on === (blocker !== null)) return
    if (on) blocker = powerSaveBlocker.start('prevent-app-suspension')
    else if (blocker !== null) {
      powerSaveBlocker.stop(blocker)
      blocker = null
    }
  }
  powerMonitor.on('resume', onResumed)
  return {
    keepAwake,
    dispose() {
      powerMonitor.off('resume', onResumed)
      keepAwake(false)
    },
  }
}
