/** What main and the preload's world say to each other; the same types on both sides. */
import type { PortMessage } from '../process/port-carrier.ts'

export type ToPreload =
  | PortMessage
  | { readonly kind: 'send'; readonly channel: string; readonly args: unknown[]; readonly ports: number[] }
  | { readonly kind: 'answer'; readonly id: number; readonly value?: unknown; readonly fault?: string }
  /** Files that will be dropped on the page: how the page knows each, and where it lies. */
  | { readonly kind: 'files'; readonly paths: Record<string, string> }

export type FromPreload =
  | PortMessage
  | { readonly kind: 'send'; readonly channel: string; readonly args: unknown[] }
  | { readonly kind: 'invoke'; readonly id: number; readonly channel: string; readonly args: unknown[] }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'preload-failed'; readonly error: Error }

/** The functions that each finds in the preload's world: one sends text to main, one takes text from it. */
export const TO_MAIN = 'electronDoubleToMain'
export const FROM_MAIN = 'electronDoubleFromMain'
export const RUN_PRELOAD = 'electronDoubleRunPreload'
