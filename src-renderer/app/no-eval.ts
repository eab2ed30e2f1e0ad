/** The page may not make code out of text, and zod need not try: imported before any schema is made. */
import { config } from 'zod'

config({ jitless: true })
