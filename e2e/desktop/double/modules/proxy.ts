/** Which proxy a URL takes: `ProxyConfig` in the words of `session.resolveProxy`. */

/** `system`: the answer where the system decides. PAC scripts are the system's as well. */
export function proxyFor(url: string, config: Electron.ProxyConfig, system: string): string {
  const { proxyRules = '', proxyBypassRules = '' } = config
  const mode = config.mode ?? (proxyRules ? 'fixed_servers' : 'system')
  if (mode === 'direct') return 'DIRECT'
  if (mode !== 'fixed_servers') return system
  const { protocol, hostname } = new URL(url)
  if (proxyBypassRules.split(/[,;]/).some(rule => bypasses(rule.trim(), hostname))) return 'DIRECT'
  for (const rule of proxyRules.split(';')) {
    const [scheme, server] = rule.includes('=') ? rule.split('=') : ['', rule]
    if (server && (scheme === '' || `${scheme}:` === protocol)) return inWords(server)
  }
  return 'DIRECT'
}

const bypasses = (rule: string, host: string) =>
  rule === '<local>'
    ? !host.includes('.')
    : rule.startsWith('*.')
      ? host.endsWith(rule.slice(1))
      : rule !== '' && host === rule

function inWords(server: string): string {
  const { protocol, host } = new URL(server.includes('://') ? server : `http://${server}`)
  const kind = { 'https:': 'HTTPS', 'socks5:': 'SOCKS5', 'socks4:': 'SOCKS' }[protocol] ?? 'PROXY'
  return `${kind} ${host}`
}
