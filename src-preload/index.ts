/** The window's bridge: asks main for a message port and hands it to the page; tells where a dropped file lies. No logic, no Node. */
import { contextBridge, ipcRenderer, webUtils } from 'electron'

/** A port cannot pass the bridge; it comes as a message of this window to itself. */
ipcRenderer.on('belay:port', (event, requestId: string) => {
  window.postMessage({ belayPort: requestId }, window.location.origin, [...event.ports])
})

contextBridge.exposeInMainWorld('belay', {
  connect: (channel: string, requestId: string) => ipcRenderer.send('belay:connect', channel, requestId),
  pathOf: (file: File) => webUtils.getPathForFile(file),
})
