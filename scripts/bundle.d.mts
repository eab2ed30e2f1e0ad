/** Resolves to the path of the bundle. Only packages of `dependencies` (native code) stay outside of it. */
export function bundle(entry: string): Promise<string>
