/** Who gives a package on, as its environment says: Belay itself has no home page, no address and no place for updates. */
import { env } from 'node:process'

export const homepage = env.BELAY_HOMEPAGE?.trim() || 'https://belay.invalid/'

/** Name and address, as Debian wants them. */
export const maintainer = env.BELAY_MAINTAINER?.trim() || 'Belay contributors <contributors@belay.invalid>'

/** Where newer versions lie; the app was built with the same. Without one it knows of no feed, and its updater is off. */
export const feed = env.BELAY_FEED_URL?.trim() || null

/** Whose name Windows finds on an installer that is signed. */
export const windowsPublisher = env.BELAY_FEED_PUBLISHER?.trim() || null
