/** What the sidecar may ask of its supervisor, which is no client: secrets and the machine. Never reachable from a page. */
import { z } from 'zod'
import { request } from './define.ts'

const nothing = z.object({})
const named = z.object({ name: z.string().regex(/^[\w.-]{1,100}$/) })

export const supervisor = {
  secretGet: request(named, z.object({ value: z.string().nullable() })),
  secretSet: request(named.extend({ value: z.string().max(10_000) }), nothing),
  secretDelete: request(named, nothing),
  /** Where it lies in the platform's trash now; null where there is none that would say so: nothing was touched. */
  trash: request(z.object({ absolute: z.string() }), z.object({ place: z.string().nullable() })),
  /** The environment of a login shell, as the person's terminals would have it. */
  shellEnvironment: request(nothing, z.object({ env: z.record(z.string(), z.string()) })),
  notify: request(z.object({ title: z.string(), body: z.string() }), nothing),
} as const
