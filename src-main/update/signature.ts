/** Who wrote a feed: a detached ed25519 signature by the key that this Belay was built with. */
import { createPublicKey, verify } from 'node:crypto'

/** The name is signed as well: a feed for one platform is none for another. `scripts/sign-feed.mjs` signs the same. */
const signedBytes = (name: string, feed: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`belay-feed-v1\n${name}\n`), feed])

/** `publicKey` is base64 of the key's SPKI DER, `signature` base64 text as it was fetched. Never throws. */
export function isSigned(
  name: string,
  feed: Uint8Array,
  { signature, publicKey }: { signature: string; publicKey: string },
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyType !== 'ed25519') return false
    return verify(null, signedBytes(name, feed), key, Buffer.from(signature.trim(), 'base64'))
  } catch {
    return false
  }
}
