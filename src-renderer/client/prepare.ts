/** Imported before everything else: what must hold before the first schema is built and the first element rendered. */
import { config } from 'zod'
import { installTrustedTypes } from './trusted-types.ts'

/** The page forbids making code from text; without this zod would try, be refused, and go on in a slower way anyway. */
config({ jitless: true })
installTrustedTypes()
