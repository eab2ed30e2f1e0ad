/** Which language a file is, by its name. */
import type { Monaco } from './monaco-api.ts'

const byEnding: Record<string, string> = {
  toml: 'ini',
  vue: 'html',
  svelte: 'html',
  astro: 'html',
  svg: 'xml',
  env: 'shell',
  zsh: 'shell',
  patch: 'diff',
  diff: 'diff',
}
const byName: Record<string, string> = {
  'package-lock.json': 'json',
  '.env': 'shell',
  '.gitignore': 'shell',
  '.dockerignore': 'shell',
  '.npmrc': 'ini',
  '.editorconfig': 'ini',
  Dockerfile: 'dockerfile',
  Containerfile: 'dockerfile',
  Gemfile: 'ruby',
  Rakefile: 'ruby',
}

/** `plaintext` where nothing is known. Looks at the name, then its endings from longest to shortest. */
export function languageOf(monaco: Monaco, fileName: string): string {
  const named = byName[fileName]
  if (named) return named
  const all = monaco.languages.getLanguages()
  const lower = fileName.toLowerCase()
  const parts = lower.split('.').slice(1)
  for (let i = 0; i < parts.length; i++) {
    const ending = parts.slice(i).join('.')
    const found = byEnding[ending] ?? all.find(each => each.extensions?.includes(`.${ending}`))?.id
    if (found) return found
  }
  return all.find(each => each.filenames?.some(name => name.toLowerCase() === lower))?.id ?? 'plaintext'
}

/** Its name for people. */
export const languageName = (monaco: Monaco, id: string): string =>
  monaco.languages.getLanguages().find(each => each.id === id)?.aliases?.[0] ?? id
