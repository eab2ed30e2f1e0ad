/** A line for whoever mends Belay: stderr of the process, one JSON object a line. Keys and tokens are struck out. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type Log = (level: LogLevel, message: string, facts?: Record<string, unknown>) => void

const secretLike =
  /(sk-[A-Za-z0-9_-]{6,}|Bearer\s+\S+|(?:api[-_]?key|token|secret|password)["']?\s*[:=]\s*["']?[^\s"',}]+)/gi

/** Text with whatever looks like a key replaced. A second net: no caller may log a key in the first place. */
export const withoutSecrets = (text: string): string => text.replace(secretLike, '[hidden]')

/** `BELAY_LOG=debug|info|warn|error` sets the least level; `warn` without it. */
export function createLog(source: string, write: (line: string) => void = line => process.stderr.write(line)): Log {
  const order: LogLevel[] = ['debug', 'info', 'warn', 'error']
  const least = Math.max(0, order.indexOf((process.env.BELAY_LOG ?? 'warn') as LogLevel))
  return (level, message, facts = {}) => {
    if (order.indexOf(level) < least) return
    const line = JSON.stringify({ at: new Date().toISOString(), level, source, message, ...facts })
    write(`${withoutSecrets(line)}\n`)
  }
}
