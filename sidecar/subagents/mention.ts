/**
 * `@name` in a person's words. A file that is chosen in the composer leaves its words and is attached, so what stays may be an
 * agent's name; a path (`@src/app.ts`), an address (`a@b`) and a package (`@scope/name`) are none.
 */
const MENTION = /(?:^|(?<=[\s([{"'“‘]))@([a-z0-9][a-z0-9_-]{0,63})(?![\w@/\\-])(?!\.\w)/gi

/** In order, as they are written; whether there are such agents is another question. */
export const namesIn = (text: string): string[] => [...text.matchAll(MENTION)].flatMap(([, name]) => name ?? [])
