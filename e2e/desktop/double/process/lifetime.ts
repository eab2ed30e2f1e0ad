/** What lives as long as the app: each part of the double that started something names here how it ends. */

const ends: (() => Promise<void> | void)[] = []

export const atEnd = (end: () => Promise<void> | void): void => void ends.push(end)

export async function endAll(): Promise<void> {
  await Promise.allSettled(ends.splice(0).map(end => end()))
}
