/** Who calls where the core itself does. */
export const nobody = { clientId: 'core', signal: new AbortController().signal }
