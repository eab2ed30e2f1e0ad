/** The sidecar process begins: see sidecar-process.ts. Apart from it, so that its code can come out of the cache. */
import { keepCompiled } from '../base/compile-cache.ts'
import { forgetNodeProgram } from '../base/node-program.ts'

forgetNodeProgram()
keepCompiled()
await import('./sidecar-process.ts')
