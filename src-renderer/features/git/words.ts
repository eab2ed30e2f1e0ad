/** How a change is written: a letter, a word, a colour. Tone never carries the meaning alone. */
import type { Change } from './changes/rows.ts'

export const letters: Record<Change['state'], string> = {
  modified: 'M',
  added: 'A',
  deleted: 'D',
  renamed: 'R',
  copied: 'C',
  typeChanged: 'T',
  untracked: 'U',
  conflicted: '!',
}

export const tones: Record<Change['state'], 'changed' | 'new' | 'gone'> = {
  modified: 'changed',
  renamed: 'changed',
  typeChanged: 'changed',
  added: 'new',
  copied: 'new',
  untracked: 'new',
  deleted: 'gone',
  conflicted: 'gone',
}
