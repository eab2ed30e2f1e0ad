/** A symbol's picture by its kind, as the protocol counts kinds, in the colours of code. */
import {
  Box,
  Braces,
  Brackets,
  CaseSensitive,
  Diamond,
  FileText,
  Hash,
  KeyRound,
  List,
  Package,
  Pi,
  SquareFunction,
  SquareM,
  Tag,
  ToggleLeft,
  Variable,
  Zap,
} from 'lucide-react'
import type { IconType } from '../../../ui/index.ts'

type Tone = 'fn' | 'type' | 'num' | 'plain'

/** In the protocol's order: `file` is 1. */
const kinds: readonly (readonly [IconType, Tone])[] = [
  [FileText, 'plain'],
  [Package, 'type'],
  [Braces, 'type'],
  [Package, 'type'],
  [Box, 'type'],
  [SquareM, 'fn'],
  [Tag, 'plain'],
  [Tag, 'plain'],
  [SquareM, 'fn'],
  [List, 'type'],
  [Diamond, 'type'],
  [SquareFunction, 'fn'],
  [Variable, 'plain'],
  [Pi, 'num'],
  [CaseSensitive, 'num'],
  [Hash, 'num'],
  [ToggleLeft, 'num'],
  [Brackets, 'num'],
  [Braces, 'num'],
  [KeyRound, 'plain'],
  [CaseSensitive, 'num'],
  [List, 'num'],
  [Box, 'type'],
  [Zap, 'fn'],
  [Pi, 'plain'],
  [Tag, 'type'],
]

export const symbolIcon = (kind: number): IconType => kinds[kind - 1]?.[0] ?? Tag

export function SymbolIcon({ kind }: { readonly kind: number }) {
  const Icon = symbolIcon(kind)
  return <Icon size={14} className={`editor-symbol-${kinds[kind - 1]?.[1] ?? 'plain'}`} aria-hidden="true" />
}
