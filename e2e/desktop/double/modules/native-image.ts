/** `nativeImage`: PNG files and their sizes; nothing is drawn. */
import { readFileSync } from 'node:fs'
import { part } from '../typed.ts'

type Image = Electron.NativeImage
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47])

function imageOf(bytes: Buffer): Image {
  const isPng = bytes.subarray(0, 4).equals(SIGNATURE)
  const size = isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : { width: 0, height: 0 }
  let isTemplate = false
  return part<Image>({
    isEmpty: () => !isPng,
    getSize: () => size,
    toPNG: () => (isPng ? bytes : Buffer.alloc(0)),
    toDataURL: () => `data:image/png;base64,${isPng ? bytes.toString('base64') : ''}`,
    setTemplateImage: is => {
      isTemplate = is
    },
    isTemplateImage: () => isTemplate,
  })
}

export const nativeImage = part<typeof Electron.NativeImage>({
  createEmpty: () => imageOf(Buffer.alloc(0)),
  createFromBuffer: bytes => imageOf(bytes),
  createFromDataURL: url => imageOf(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')),
  /** Empty where there is no such file, as in Electron. */
  createFromPath(path) {
    try {
      return imageOf(readFileSync(path))
    } catch {
      return imageOf(Buffer.alloc(0))
    }
  },
})
