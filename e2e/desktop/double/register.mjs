/** `node --import register.mjs`: from here on `electron` is our double. */
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
