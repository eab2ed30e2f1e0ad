/** Colours for every language: Monaco's definitions and what they lack. */
import 'monaco-editor/languages/definitions/register.all'
import { registerOwnLanguages } from './languages.ts'
import type { Monaco } from './monaco-api.ts'

/** Call once, before the first text is shown. */
export const registerLanguages = (monaco: Monaco): void => registerOwnLanguages(monaco)
