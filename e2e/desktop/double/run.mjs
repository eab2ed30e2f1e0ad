/** `node --import register.mjs run.mjs <main.js> [folder]`: runs the built main process on the double; a parent asks over the fork channel. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app, remote } from './electron.mjs'

process.on('message', async ({ id, method, args }) => {
  const answer = await Promise.resolve()
    .then(() => remote[method](...args))
    .then(
      value => ({ id, value }),
      fault => ({ id, fault: String(fault) }),
    )
  if (process.connected) process.send(answer)
})
process.on('disconnect', () => void app.exit(1))

const [main, ...rest] = process.argv.slice(2)
// As Electron has it: the executable, the app, what the person gave.
process.argv.splice(1, process.argv.length, resolve('.'), ...rest)
await import(pathToFileURL(resolve(main)).href)
app.mainEvaluated()
