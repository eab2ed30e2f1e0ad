/** How systems tell Belay from other apps: the package is made with it, and Windows must hear the same from the running app. */
export const APP_ID = 'ide.belay'
