/**
 * Signs the feeds that electron-builder wrote (`latest*.yml`), so that installed Belays believe them:
 *   node scripts/sign-feed.mjs new-key                     prints a key pair; the private one is never given to a build
 *   BELAY_FEED_PRIVATE_KEY=… node scripts/sign-feed.mjs <folder> [--days 90]
 * A signature vouches for its feed that many days; sign again before they are over. Feed, `.sig` and the files it names are
 * served from one folder over https, without redirects.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const DAY_MS = 86_400_000
const USAGE = 'Usage: BELAY_FEED_PRIVATE_KEY=… node scripts/sign-feed.mjs <folder> [--days 90], or … new-key'

/** Both as base64 of DER: the public one is `BELAY_FEED_KEY` of a build. */
export function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
}

/** The feed with its term, and the signature over it. `src-main/update/signature.ts` reads the same bytes. */
export function signFeed(name, text, { privateKey, until }) {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The private key is no ed25519 key.')
  const feed = `${text.replace(/^validUntil:.*\n?/m, '').trimEnd()}\nvalidUntil: '${until.toISOString()}'\n`
  const signature = sign(null, Buffer.from(`belay-feed-v1\n${name}\n${feed}`), key).toString('base64')
  return { feed, signature }
}

export function signFolder(folder, { privateKey, days }) {
  const names = readdirSync(folder).filter(name => /^latest[\w-]*\.yml$/.test(name))
  if (names.length === 0)
    throw new Error(`${folder} holds no latest*.yml: package first, with a feed (BELAY_FEED_URL).`)
  for (const name of names) {
    const until = new Date(Date.now() + days * DAY_MS)
    const { feed, signature } = signFeed(name, readFileSync(join(folder, name), 'utf8'), { privateKey, until })
    writeFileSync(join(folder, name), feed)
    writeFileSync(join(folder, `${name}.sig`), `${signature}\n`)
    console.log(`${name}: signed until ${until.toISOString().slice(0, 10)}`)
  }
}

/** What a person asked for; throws what is wrong with it. */
function askedFor(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { days: { type: 'string', default: '90' } },
  })
  const [folder] = positionals
  const privateKey = process.env.BELAY_FEED_PRIVATE_KEY
  if (positionals.length !== 1 || (folder !== 'new-key' && !privateKey)) throw new Error(USAGE)
  if (!/^[1-9]\d{0,3}$/.test(values.days))
    throw new Error(`--days ${values.days}: a whole number of days, from 1 to 9999. Nothing was signed.`)
  return { folder, privateKey, days: Number(values.days) }
}

function main() {
  const { folder, privateKey, days } = askedFor(process.argv.slice(2))
  if (folder === 'new-key') {
    const made = newKey()
    console.log(`BELAY_FEED_KEY=${made.publicKey}\nBELAY_FEED_PRIVATE_KEY=${made.privateKey}`)
    return
  }
  signFolder(folder, { privateKey, days })
  const key = createPublicKey(
    createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' }),
  )
  console.log(`public key: ${key.export({ format: 'der', type: 'spki' }).toString('base64')}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main()
  } catch (fault) {
    console.error(fault.message)
    process.exit(1)
  }
}
