/** What a process that ended said last that tells a person why: of a crash of Node its error, not the frames and the version under it. */

const thrown = /^(?:Uncaught )?[A-Z]\w*(?:Error|Exception)\b|^\w*Error\b|could not start:/
const nothing = /^\s*(?:at |\^|Node\.js v\d|[{}]|$)|^\s*(?:code|errno|syscall|path|url): /

/** `lines` in their order. Null where they say nothing. */
export const causeOf = (lines: readonly string[]): string | null =>
  lines.findLast(line => thrown.test(line)) ?? lines.findLast(line => !nothing.test(line)) ?? null
