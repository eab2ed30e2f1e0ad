/** A chord, as the keys of this machine are named. */
import './text.css'
import { keyText } from './key-text.ts'

export const Kbd = ({ chord }: { readonly chord: string }) => <kbd className="ui-kbd">{keyText(chord)}</kbd>
