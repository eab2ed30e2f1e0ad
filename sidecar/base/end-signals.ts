/** What ends a Belay from outside, each with the exit code that says so. */
export const endSignals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
