/** Who gives a package on, as its environment says: Belay itself has no home page, no address and no place for updates. */
import { env } from 'node:process'

export const homepage = env.BELAY_HOMEPAGE?.trim() || 'https://belay.invalid/'

/** Name and address, as Debian wants them. */
export const maintainer = env.BELAY_MAINTAINER?.trim() || 'Belay contributors <contributors@belay.invalid>'

/** Where newer versions are looked for; https. Without one the packed app knows of no feed, and its updater is off. */
export const feed = env.BELAY_UPDATE_URL?.trim() || null
