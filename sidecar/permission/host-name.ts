/** Names of hosts in one spelling. */

/** As addresses are compared: numbers in one spelling, no case, no dot at the end. */
export function hostName(name: string): string {
  const bare = name.replace(/\.$/, '')
  try {
    return new URL(`http://${bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare}/`).hostname.replace(
      /\.$/,
      '',
    )
  } catch {
    return bare.toLowerCase()
  }
}
