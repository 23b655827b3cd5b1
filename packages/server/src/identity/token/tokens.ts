/**
 * Signs and verifies the server's own tokens. The key ring pins the algorithm, the issuer and the audience are
 * compared, and a header may hold only what we write. A text that merely decodes to the same signature is refused: only
 * exactly the issued bytes are accepted.
 *
 * Verified access tokens stay in a bounded map until they expire, under the hash of the token. The map is cleared when
 * the key ring changes. Source: spec platform 4.1, 4.2; spec platform 25.
 */
import { hash } from 'node:crypto'
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import type { Ids } from '../../runtime/ids.js'
import type { Maybe } from '../../runtime/maybe.js'
import { AUDIENCES, type ClaimsOf, type Purpose, type Verified } from './claims.js'
import type { KeyRing, PublicJwk } from './key-ring.js'

/** How far the clocks of replicas may differ. */
export const CLOCK_SKEW_SECONDS = 30
const VERIFIED_MAX = 20_000
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)$/
const TOKEN_LENGTH_MAX = 8192
const HEADER_KEYS = ['alg', 'kid', 'typ']

export interface TokenOptions {
  readonly clock: Clock
  readonly ids: Ids
  readonly issuer: string
  readonly keys: KeyRing
}

export interface Tokens {
  sign<P extends Purpose>(purpose: P, claims: ClaimsOf[P], seconds: number): Promise<string>
  /** @throws Refusal `TOKEN_INVALID` or `TOKEN_EXPIRED`. */
  verify<P extends Purpose>(purpose: P, token: string): Promise<Verified<P>>
  /**
   * Verifies an access token; returns a plain value, not a promise, when it was verified before.
   * @throws Refusal `TOKEN_INVALID` or `TOKEN_EXPIRED`.
   */
  verifyAccess(token: string): Maybe<Verified<'access'>>
  replaceKeys(keys: KeyRing): void
  readonly jwks: readonly PublicJwk[]
  /** Access tokens that were verified cryptographically, not found in the map. */
  readonly counts: { readonly verified: number }
}

const invalidToken = (cause?: unknown): Refusal =>
  new Refusal('TOKEN_INVALID', 'the token is malformed or was not issued by this server: sign in again', {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    cause,
  })

const expiredToken = (): Refusal =>
  new Refusal('TOKEN_EXPIRED', 'the token has expired: sign in again', {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token", error_description="expired"' },
  })

const secondsOf = (clock: Clock): number => Math.floor(clock.now() / 1000)

/** The claims of a token that a key of the ring signed for this purpose and that has not expired. */
// guard: the-algorithm-of-a-token
async function compute<P extends Purpose>(
  { clock, issuer }: TokenOptions,
  keys: KeyRing,
  purpose: P,
  token: string,
): Promise<Verified<P>> {
  const [, signature] = (token.length <= TOKEN_LENGTH_MAX && JWT.exec(token)) || []
  if (signature === undefined) throw invalidToken()
  // The last character of a signature holds bits that decoding drops.
  // guard: the-canonical-signature
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) throw invalidToken()
  const header = readHeader(token)
  const key = header === null ? null : keys.verifying(header.kid)
  if (header === null || header.alg !== keys.alg || key === null) throw invalidToken()
  try {
    const { payload } = await jwtVerify(token, await key, {
      algorithms: [keys.alg],
      // guard: the-issuer-of-a-token
      issuer,
      // guard: the-audience-of-a-token
      audience: AUDIENCES[purpose],
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    })
    const { iat = Number.NaN, exp = Number.NaN, aud } = payload
    // A list of audiences could name several purposes, so we write only one.
    // guard: one-audience-and-sound-times
    if (typeof aud !== 'string' || !(iat <= secondsOf(clock) + CLOCK_SKEW_SECONDS) || !(exp > iat)) throw invalidToken()
    return payload as unknown as Verified<P>
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw expiredToken()
    if (error instanceof Refusal) throw error
    throw invalidToken(error)
  }
}

export function createTokens(options: TokenOptions): Tokens {
  const { clock, ids, issuer, keys: firstKeys } = options
  const known = new LRUCache<string, Verified<'access'>>({ max: VERIFIED_MAX })
  const counts = { verified: 0 }
  let keys = firstKeys

  async function computeAccess(token: string, key: string): Promise<Verified<'access'>> {
    const ring = keys
    const verified = await compute(options, ring, 'access', token)
    counts.verified += 1
    // guard: the-kind-of-a-token
    if (verified.typ !== 'access') throw invalidToken()
    // Verified under keys that were replaced meanwhile: accepted this once, but not stored in the map.
    if (ring === keys) known.set(key, withoutHints(verified))
    return verified
  }

  function verifyAccess(token: string): Maybe<Verified<'access'>> {
    const key = hash('sha256', token, 'base64')
    const found = known.get(key)
    if (found === undefined) return computeAccess(token, key)
    // guard: the-end-of-a-remembered-token
    if (secondsOf(clock) < found.exp + CLOCK_SKEW_SECONDS) return found
    known.delete(key)
    throw expiredToken()
  }

  return {
    async sign(purpose, claims, seconds) {
      const iat = secondsOf(clock)
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: keys.alg, kid: keys.signing.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCES[purpose])
        .setIssuedAt(iat)
        .setExpirationTime(iat + seconds)
        .setJti(ids.next())
        .sign(await keys.signing.key)
    },
    async verify(purpose, token) {
      return purpose === 'access'
        ? ((await verifyAccess(token)) as Verified<typeof purpose>)
        : compute(options, keys, purpose, token)
    },
    verifyAccess,
    replaceKeys(next) {
      keys = next
      known.clear()
    },
    get jwks() {
      return keys.jwks
    },
    counts,
  }
}

/** What is cached of a token. The hints for user interfaces are its largest part, and the server never reads them. */
function withoutHints({
  features: _features,
  permissions: _permissions,
  ...claims
}: Verified<'access'>): Verified<'access'> {
  return claims
}

/** The header, when it holds exactly what `sign` writes. */
function readHeader(token: string): { alg: string; kid: string } | null {
  try {
    const header = decodeProtectedHeader(token)
    const { alg, kid, typ } = header
    // guard: the-exact-header-of-a-token
    if (Object.keys(header).some((name) => !HEADER_KEYS.includes(name)) || typ !== 'JWT') return null
    return typeof alg === 'string' && typeof kid === 'string' ? { alg, kid } : null
  } catch {
    return null
  }
}
