/**
 * Password hashes: scrypt with its parameters in a PHC string, so that the cost can rise. Older hashes and bcrypt
 * hashes are still verified, and are upgraded at the next sign-in. Source: spec platform 4.5.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { isBcrypt, verifyBcrypt } from './bcrypt-hash.js'

export interface ScryptCost {
  /** The base-2 logarithm of N. */
  readonly log2N: number
  readonly r: number
  readonly p: number
}

const SALT_BYTES = 16
const HASH_BYTES = 32
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/
/** Bounds the memory that a stored hash can cost, no matter where it comes from: 128 MiB. */
const LOG2_N_MAX = 17

interface PhcHash {
  readonly cost: ScryptCost
  readonly salt: Buffer
  readonly hash: Buffer
}

function parse(text: string): PhcHash | null {
  const [, ln, r, p, salt, hash] = PHC.exec(text) ?? []
  if (ln === undefined || salt === undefined || hash === undefined) return null
  const cost = { log2N: Number(ln), r: Number(r), p: Number(p) }
  if (cost.log2N < 1 || cost.log2N > LOG2_N_MAX || cost.r < 1 || cost.r > 8 || cost.p < 1 || cost.p > 8) return null
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** Runs on the thread pool of libuv, so that the event loop is not blocked. */
function derive(password: string, salt: Buffer, { log2N, r, p }: ScryptCost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 128 * r * (2 ** log2N + p + 2) }
  return new Promise((resolve, reject) => {
    // Two encodings of the same letters are the same password.
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}

/** @returns `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. */
export async function hashPassword(password: string, cost: ScryptCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, cost)
  return `$scrypt$ln=${cost.log2N},r=${cost.r},p=${cost.p}$${unpadded(salt)}$${unpadded(hash)}`
}

/** False also for a text that is not a hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  if (isBcrypt(stored)) return verifyBcrypt(password, stored)
  const parsed = parse(stored)
  if (parsed === null) return false
  return timingSafeEqual(await derive(password, parsed.salt, parsed.cost), parsed.hash)
}

/** True when the hash was made with other parameters than these. */
export function isOutdated(stored: string, cost: ScryptCost): boolean {
  const parsed = parse(stored)
  if (parsed === null) return true
  return parsed.cost.log2N !== cost.log2N || parsed.cost.r !== cost.r || parsed.cost.p !== cost.p
}
