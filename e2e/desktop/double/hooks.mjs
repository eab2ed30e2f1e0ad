/** Node's loader hook: `electron` resolves to the double; nothing else is touched. */
export async function resolve(specifier, context, next) {
  if (specifier !== 'electron' && specifier !== 'electron/main') return next(specifier, context)
  return { url: new URL('./electron.mjs', import.meta.url).href, shortCircuit: true }
}
