/** Where Electron's program would be; null without its package. */
export function electronPath(): string | null
/** Electron's program, or null where it is not here. */
export function electronBinary(): string | null
