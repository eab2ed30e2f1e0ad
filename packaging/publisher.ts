/** Who gives a package on, as its environment says: Belay itself has no home page, no address and no place for updates. */
import { env } from 'node:process'

export const homepage = env.BELAY_HOMEPAGE?.trim() || 'https://belay.invalid/'

/** Name and address, as Debian wants them. */
export const maintainer = env.BELAY_MAINTAINER?.trim() || 'Belay contributors <contributors@belay.invalid>'

/** Where newer versions lie, and whose signature is believed. Without them the app knows of no feed, and its updater is off. */
export const feedUrl = env.BELAY_FEED_URL?.trim() || null
export const feedKey = env.BELAY_FEED_KEY?.trim() || null

/** Whose name Windows finds on an installer that is signed. */
export const windowsPublisher = env.BELAY_FEED_PUBLISHER?.trim() || null
