/** What the sidecar may ask of its supervisor, which is no client: secrets and the machine. Never reachable from a page. */
import { z } from 'zod'
import { event, request } from './define.ts'

const nothing = z.object({})
const named = z.object({ name: z.string().regex(/^[\w.-]{1,100}$/) })

export const supervisor = {
  /** `unreadable`: one is kept, but what sealed it does not open it (now). */
  secretGet: request(named, z.object({ value: z.string().nullable(), unreadable: z.boolean() })),
  secretSet: request(named.extend({ value: z.string().max(10_000) }), nothing),
  secretDelete: request(named, nothing),
  /** Where it lies in the platform's trash now; null where there is none that would say so: nothing was touched. */
  trash: request(z.object({ absolute: z.string() }), z.object({ place: z.string().nullable() })),
  /** The environment of a login shell, as the person's terminals would have it. */
  shellEnvironment: request(nothing, z.object({ env: z.record(z.string(), z.string()) })),
  /** What the system says of the way to an address, in the words of a PAC file: 'DIRECT', 'PROXY a:1; DIRECT'. */
  proxyFor: request(z.object({ url: z.string().max(2000) }), z.object({ rules: z.string() })),
  /** While it is on the machine does not fall asleep by itself. It ends with the sidecar, however that ends. */
  keepAwake: request(z.object({ on: z.boolean() }), nothing),
  /** The login shell was asked anew: `shellEnvironment` answers otherwise from now on. */
  environmentChanged: event(nothing),
  /** The machine slept: what was under way to other machines is probably cut off. */
  resumed: event(nothing),
} as const
