/**
 * Switches that the packaged app does not start with. A link, a file type or a desktop entry may bring words of a stranger
 * to its command line, and each of these would hand Belay's rights to them: a debugger, other code, no sandbox, a file written.
 */
const refused = [
  /^inspect/,
  /^remote-/,
  /^js-flags$/,
  /^(no|disable)-(.*-)?sandbox$/,
  /^(single-process|in-process-gpu|no-zygote)$/,
  /^disable-(web-security|site-isolation|extensions-except)/,
  /^allow-(file-access|running-insecure)/,
  /^(ignore-certificate|allow-insecure|unsafely-treat)-/,
  /^load-(extension|component)$/,
  /-(cmd-prefix|launcher|subprocess-path)$/,
  /^host-(rules|resolver-rules)$/,
  /^(ssl-key-log-file|log-net-log|net-log-.*|log-file|trace-.*)$/,
]

/** The first one, as it was written; null when all are well. `argv` without the executable. As root Chromium has no sandbox to give up. */
export function refusedSwitch(
  argv: readonly string[],
  options: { packaged: boolean; root: boolean; platform: NodeJS.Platform },
): string | null {
  if (!options.packaged) return null
  const prefix = options.platform === 'win32' ? /^(?:--?|\/)([^=]+)/ : /^--?([^=]+)/
  const end = argv.indexOf('--')
  for (const argument of end < 0 ? argv : argv.slice(0, end)) {
    const name = prefix.exec(argument)?.[1]?.toLowerCase()
    if (name === undefined || (options.root && name === 'no-sandbox')) continue
    if (refused.some(pattern => pattern.test(name))) return argument
  }
  return null
}
