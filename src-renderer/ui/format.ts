/** Numbers as people read them, in the language of the window. */
import { currentLanguage } from './i18n.ts'

const cached = new Map<string, Intl.NumberFormat>()
function number(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${currentLanguage()}${JSON.stringify(options)}`
  const known = cached.get(key) ?? new Intl.NumberFormat(currentLanguage(), options)
  cached.set(key, known)
  return known
}

export const formatCount = (value: number): string => number({}).format(value)
/** For a mark beside a name: no wider than three signs. */
export const formatMark = (value: number): string => (value > 99 ? '99+' : String(value))
/** 1234 -> "1.2K", for gauges. */
export const formatShort = (value: number): string =>
  number({ notation: 'compact', maximumFractionDigits: 1 }).format(value)
export const formatPercent = (ratio: number): string =>
  number({ style: 'percent', maximumFractionDigits: 0 }).format(ratio)

/** US dollars; below a cent with four digits, so that nothing that costs looks free. */
export const formatCost = (dollars: number): string => {
  const digits = dollars > 0 && dollars < 0.01 ? 4 : 2
  return number({
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(dollars)
}

/** US dollars of a million tokens: as few digits as say it. */
export const formatPrice = (dollars: number): string =>
  number({ style: 'currency', currency: 'USD', minimumFractionDigits: 0, maximumFractionDigits: 4 }).format(dollars)

export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const step = Math.min(units.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  return number({
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value)
}

const unit = (value: number, name: string, digits = 0): string =>
  number({
    style: 'unit',
    unit: name,
    unitDisplay: currentLanguage() === 'en' ? 'narrow' : 'short',
    minimumFractionDigits: 0,
    maximumFractionDigits: digits,
  }).format(value)

/** "0.1s", "4s", "2m 5s", "1h 3m". */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return unit(Math.max(0, Math.round(seconds * 10) / 10), 'second', 1)
  if (seconds < 60) return unit(Math.round(seconds), 'second')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${unit(minutes, 'minute')} ${unit(Math.round(seconds % 60), 'second')}`
  return `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`
}

/** "now", "5 minutes ago", "yesterday"; a date when older than a week. */
export function formatAgo(at: number, now = Date.now()): string {
  const seconds = Math.round((at - now) / 1000)
  const relative = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto', style: 'short' })
  if (seconds > -60) return relative.format(0, 'second')
  if (seconds > -3600) return relative.format(Math.round(seconds / 60), 'minute')
  if (seconds > -86_400) return relative.format(Math.round(seconds / 3600), 'hour')
  if (seconds > -7 * 86_400) return relative.format(Math.round(seconds / 86_400), 'day')
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' }).format(at)
}

/** To the second; with the day when it was not today. */
export function formatMoment(at: number, now = Date.now()): string {
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const today = new Date(at).toDateString() === new Date(now).toDateString()
  const day = { month: 'short', day: 'numeric' } as const
  return new Intl.DateTimeFormat(currentLanguage(), today ? time : { ...day, ...time }).format(at)
}
