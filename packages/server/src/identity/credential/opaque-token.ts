/**
 * Opaque tokens: 32 random bytes with a prefix that names their kind. Only the SHA-256 is stored; bytes of full entropy
 * need no slow hash. A personal access token ends in a checksum, so that the server detects typing errors, and scanners
 * detect leaked tokens, without the database. Source: spec platform 4.1.
 */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const REFRESH_PREFIX = 'plr_'
export const PERSONAL_PREFIX = 'plp_'
export const SERVICE_SECRET_PREFIX = 'plk_'
export const SCIM_PREFIX = 'pls_'

const BYTES = 32
const BODY = '[A-Za-z0-9_-]{43}'
const OPAQUE = new RegExp(`^${BODY}$`)
const REFRESH = new RegExp(`^${REFRESH_PREFIX}${BODY}$`)
const SCIM = new RegExp(`^${SCIM_PREFIX}(${BODY})([0-9a-f]{8})$`)
const PERSONAL = new RegExp(`^${PERSONAL_PREFIX}(${BODY})([0-9a-f]{8})$`)

/** Does not begin with a hyphen: a command line would take such an argument for an option. */
function random(): string {
  const text = randomBytes(BYTES).toString('base64url')
  return text.startsWith('-') ? random() : text
}

export const newRefreshToken = (): string => REFRESH_PREFIX + random()
/** The value of a browser's session cookie. */
export const newSessionCookie = random
/** A token in a link: e-mail verification, password reset. */
export const newOneTimeToken = random

export function newPersonalToken(): string {
  const body = random()
  return PERSONAL_PREFIX + body + checksum(body)
}

export function newScimToken(): string {
  const body = random()
  return SCIM_PREFIX + body + checksum(body)
}

const checksum = (body: string): string => crc32(body).toString(16).padStart(8, '0')

export const isRefreshToken = (text: string): boolean => REFRESH.test(text)
export const isSessionCookie = (text: string): boolean => OPAQUE.test(text)
export const isOneTimeToken = (text: string): boolean => OPAQUE.test(text)

/** True for the form and the checksum of a personal access token. Only the database knows whether it exists. */
export function isPersonalToken(text: string): boolean {
  const [, body, sum] = PERSONAL.exec(text) ?? []
  return body !== undefined && checksum(body) === sum
}

/** The same for a token of a directory. */
export function isScimToken(text: string): boolean {
  const [, body, sum] = SCIM.exec(text) ?? []
  return body !== undefined && checksum(body) === sum
}

/** SHA-256, hex: the form in which a token is stored and found. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
