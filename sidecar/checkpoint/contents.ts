/**
 * Contents by their SHA-256, in a few large files that only grow: fifty thousand small files cost one open file here, not
 * fifty thousand. A record that a crash tore is cut off before the next one is written; what is read is checked.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

export interface Contents {
  has(hash: string): boolean
  /** Once for each hash. Throws what the disk says (ENOSPC). */
  keep(hash: string, bytes: Uint8Array): void
  /** Null when it is gone or damaged. */
  read(hash: string): Buffer | null
  /** To the disk, through its cache. */
  sync(): void
  /** Another process may have added to them or thinned them out. */
  forget(): void
  /** On disk. */
  bytes(): number
  /** Of these alone. */
  bytesOf(hashes: Iterable<string>): number
  /** Leaves out what nobody needs any more. */
  thin(needed: ReadonlySet<string>): void
  close(): void
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** hash 32, stored length 4, raw length 4, CRC-32 of those 4. */
const HEADER_BYTES = 44
const HASH_BYTES = 32
const MOST_PACK_BYTES = 256 * 1024 * 1024
/** Shorter ones do not get shorter. */
const LEAST_DEFLATED = 128
/** A pack is written anew when less than this share of it is needed. */
const LEAST_NEEDED = 0.5

interface Place {
  readonly pack: Pack
  readonly offset: number
  readonly stored: number
  readonly raw: number
}
interface Pack {
  readonly name: string
  readonly fd: number
  /** Where the last whole record ends. */
  end: number
  dirty: boolean
}

/** `mayTake`: whether there is room for so many bytes more; where not, `keep` throws as a full disk does. */
export function createContents(folder: string, mayTake: (bytes: number) => boolean = () => true): Contents {
  let packs: Pack[] = []
  let places: Map<string, Place> | null = null

  const load = (): Map<string, Place> => {
    if (places) return places
    const found = new Map<string, Place>()
    for (const name of packNames(folder)) {
      const pack = openPack(folder, name)
      packs.push(pack)
      for (const [hash, place] of recordsOf(pack)) found.set(hash, place)
    }
    places = found
    return found
  }
  const forget = () => {
    for (const { fd } of packs) closeSync(fd)
    packs = []
    places = null
  }
  const packToFill = (): Pack => {
    const last = packs.at(-1)
    if (last && last.end < MOST_PACK_BYTES) return last
    const pack = openPack(folder, `${last ? numberOf(last.name) + 1 : 1}.pack`)
    packs.push(pack)
    return pack
  }
  const append = (pack: Pack, hash: string, raw: number, data: Uint8Array): Place => {
    const header = Buffer.alloc(HEADER_BYTES)
    header.write(hash, 'hex')
    header.writeUInt32LE(data.length, HASH_BYTES)
    header.writeUInt32LE(raw, HASH_BYTES + 4)
    header.writeUInt32LE(crc32(header.subarray(0, HASH_BYTES + 8)), HASH_BYTES + 8)
    if (fstatSync(pack.fd).size !== pack.end) ftruncateSync(pack.fd, pack.end)
    writeAll(pack.fd, [header, data], pack.end)
    const place = { pack, offset: pack.end + HEADER_BYTES, stored: data.length, raw }
    pack.end += HEADER_BYTES + data.length
    pack.dirty = true
    return place
  }
  const stored = ({ pack, offset, stored: length }: Place): Buffer | null => {
    const data = Buffer.allocUnsafe(length)
    return readSync(pack.fd, data, 0, length, offset) === length ? data : null
  }
  const sync = () => {
    for (const pack of packs) {
      if (pack.dirty) fdatasyncSync(pack.fd)
      pack.dirty = false
    }
  }

  return {
    has: hash => load().has(hash),
    keep(hash, bytes) {
      const known = load()
      if (known.has(hash)) return
      const small = bytes.length >= LEAST_DEFLATED ? deflateRawSync(bytes, { level: 1 }) : bytes
      const data = small.length < bytes.length ? small : bytes
      if (!mayTake(HEADER_BYTES + data.length)) throw Object.assign(new Error('no room is left'), { code: 'ENOSPC' })
      known.set(hash, append(packToFill(), hash, bytes.length, data))
    },
    read(hash) {
      const place = load().get(hash)
      const data = place && stored(place)
      if (!data) return null
      try {
        const bytes = data.length < place.raw ? inflateRawSync(data, { maxOutputLength: place.raw }) : data
        return hashOf(bytes) === hash ? bytes : null
      } catch {
        return null
      }
    },
    sync,
    forget,
    bytes: () => packNames(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
    bytesOf(hashes) {
      const known = load()
      let sum = 0
      for (const hash of hashes) sum += HEADER_BYTES + (known.get(hash)?.stored ?? -HEADER_BYTES)
      return sum
    },
    thin(needed) {
      const known = load()
      for (const old of [...packs]) {
        const inIt = [...known].filter(([, { pack }]) => pack === old)
        const kept = inIt.filter(([hash]) => needed.has(hash))
        const bytes = kept.reduce((sum, [, { stored: length }]) => sum + HEADER_BYTES + length, 0)
        if (bytes >= old.end * LEAST_NEEDED && inIt.length > 0) continue
        // Into a pack of its own that takes the old one's place whole: a crash leaves one or the other.
        const fresh = openPack(folder, `${old.name}.new`)
        fresh.end = 0
        for (const [hash, place] of kept) {
          const data = stored(place)
          if (data) append(fresh, hash, place.raw, data)
        }
        fdatasyncSync(fresh.fd)
        closeSync(fresh.fd)
        if (kept.length > 0) renameSync(join(folder, fresh.name), join(folder, old.name))
        else for (const { name } of [fresh, old]) rmSync(join(folder, name), { force: true })
      }
      forget()
    },
    close: forget,
  }
}

/** Oldest first. */
function packNames(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const names = readdirSync(folder).filter(name => /^\d+\.pack$/.test(name))
  return names.sort((a, b) => numberOf(a) - numberOf(b))
}

const numberOf = (name: string): number => Number.parseInt(name, 10)

function openPack(folder: string, name: string): Pack {
  const fd = openSync(join(folder, name), 'a+', 0o600)
  closeSync(fd)
  return { name, fd: openSync(join(folder, name), 'r+'), end: 0, dirty: false }
}

/** Up to the first that is not whole, which becomes the pack's end. */
function* recordsOf(pack: Pack): Generator<[string, Place]> {
  const { size } = fstatSync(pack.fd)
  const header = Buffer.alloc(HEADER_BYTES)
  while (readSync(pack.fd, header, 0, HEADER_BYTES, pack.end) === HEADER_BYTES) {
    if (header.readUInt32LE(HASH_BYTES + 8) !== crc32(header.subarray(0, HASH_BYTES + 8))) return
    const length = header.readUInt32LE(HASH_BYTES)
    const offset = pack.end + HEADER_BYTES
    if (offset + length > size) return
    pack.end = offset + length
    yield [
      header.toString('hex', 0, HASH_BYTES),
      { pack, offset, stored: length, raw: header.readUInt32LE(HASH_BYTES + 4) },
    ]
  }
}

function writeAll(fd: number, pieces: Uint8Array[], position: number): void {
  const wanted = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const written = writevSync(fd, pieces, position)
  if (written < wanted) writeAll(fd, [Buffer.concat(pieces).subarray(written)], position + written)
}
