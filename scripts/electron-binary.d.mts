/** Of the whole distribution; null without Electron's package. */
export function electronFolder(): string | null
/** Where Electron's program would be; null without its package. */
export function electronPath(): string | null
/** Electron's program, or null where it is not here. */
export function electronBinary(): string | null
