/**
 * What an ID token says about a person, after its signature, issuer, audience, expiry and nonce were verified. These
 * are the checks that no library makes for us. Pure.
 */
import { domainOf } from '../domain-name.js'
import { SignInRefused } from './reasons.js'

export type Claims = Readonly<Record<string, unknown>>

export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Verified, with its domain in lower case; null if the provider sends none. */
  readonly email: string | null
  readonly name: string | null
  /** Null when the token has no groups claim, or only refers to where the groups can be read. */
  readonly groups: readonly string[] | null
  /** The provider's session. */
  readonly sid: string | null
  readonly authTimeS: number | null
}

export interface Expected {
  readonly issuer: string
  readonly clientId: string
  readonly trustEmail: boolean
  readonly amr: readonly string[]
  readonly groupsClaim: string | null
  readonly nowMs: number
}

const OLD_S = 600
const AHEAD_S = 60
const SUBJECT_MAX = 255
const EMAIL_MAX = 254
const GROUPS_MAX = 500
const GROUP_MAX = 255

/** @throws SignInRefused */
export function judgeClaims(claims: Claims, expected: Expected): Identity {
  const { iss, sub, azp, sid, name } = claims
  if (iss !== expected.issuer) throw new SignInRefused('issuer')
  // guard: a-token-is-for-this-client
  if (azp !== undefined && azp !== expected.clientId) throw new SignInRefused('token', 'azp')
  checkIssuedAt(claims.iat, expected.nowMs)
  // guard: a-subject-is-a-text-that-names-somebody
  if (typeof sub !== 'string' || sub.trim() === '' || sub.length > SUBJECT_MAX) throw new SignInRefused('subject')
  const email = emailOf(claims, expected)
  checkMethods(claims.amr, expected.amr)
  const authTime = claims.auth_time
  return {
    issuer: expected.issuer,
    subject: sub,
    email,
    name: typeof name === 'string' ? name.slice(0, 100) : null,
    groups: groupsOf(claims, expected.groupsClaim),
    sid: typeof sid === 'string' && sid !== '' && sid.length <= SUBJECT_MAX ? sid : null,
    authTimeS: typeof authTime === 'number' && Number.isFinite(authTime) ? authTime : null,
  }
}

function checkIssuedAt(iat: unknown, nowMs: number): void {
  const nowS = nowMs / 1000
  // guard: a-token-is-of-now
  if (typeof iat !== 'number' || !(iat >= nowS - OLD_S) || !(iat <= nowS + AHEAD_S)) {
    throw new SignInRefused('issued-at')
  }
}

/** Only the boolean `true` counts: `"true"` and 1 are refused like `false`. */
function emailOf({ email, email_verified: verified }: Claims, { trustEmail }: Expected): string | null {
  if (email === undefined || email === null) return null
  // guard: an-address-counts-when-the-provider-verified-it
  if (verified !== true && !(verified === undefined && trustEmail)) throw new SignInRefused('email-unverified')
  if (typeof email !== 'string' || email.length > EMAIL_MAX) throw new SignInRefused('no-email')
  const domain = domainOf(email)
  if (domain === null) throw new SignInRefused('no-email')
  return `${email.slice(0, email.lastIndexOf('@'))}@${domain}`
}

function checkMethods(amr: unknown, wanted: readonly string[]): void {
  if (wanted.length === 0) return
  const given = Array.isArray(amr) ? amr : []
  // guard: a-method-that-the-organization-asks-for
  if (!wanted.some((method) => given.includes(method))) throw new SignInRefused('amr')
}

/** An absent claim, or a reference for too many groups, gives null; an empty list means no groups. */
function groupsOf(claims: Claims, claim: string | null): readonly string[] | null {
  if (claim === null) return null
  const names = claims._claim_names
  // guard: groups-that-are-elsewhere-are-no-empty-list
  if (typeof names === 'object' && names !== null && Object.hasOwn(names, claim)) return null
  if (!Object.hasOwn(claims, claim)) return null
  const value = claims[claim]
  const list = Array.isArray(value) ? value : typeof value === 'string' ? [value] : null
  if (list === null || list.length > GROUPS_MAX) return null
  const isName = (each: unknown): each is string => typeof each === 'string' && each !== '' && each.length <= GROUP_MAX
  return [...new Set(list.filter(isName))]
}

/** For a step-up: the provider authenticated the person again, a moment ago. @throws SignInRefused */
export function checkAskedAgain({ authTimeS }: Pick<Identity, 'authTimeS'>, nowMs: number): void {
  const ageS = authTimeS === null ? Number.NaN : nowMs / 1000 - authTimeS
  // guard: a-step-up-asks-the-person-again
  if (!(ageS <= 60 && ageS >= -60)) throw new SignInRefused('auth-time')
}
