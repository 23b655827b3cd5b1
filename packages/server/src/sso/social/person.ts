/** Reads who owns a social account from its provider's answer. Pure. */
import { type Claims, judgeClaims } from '../oidc/judge.js'
import { SignInRefused } from '../oidc/reasons.js'
import type { SocialProvider } from './catalogue.js'

export interface SocialPerson {
  readonly issuer: string
  readonly subject: string
  /** An address that the provider verified; null if there is none. */
  readonly email: string | null
  readonly authTimeS: number | null
}

/** Each provider has its own way to mark an address as verified. Only the boolean `true` counts, not a text. */
const isVerified = (id: SocialProvider['id'], claims: Claims): boolean =>
  id === 'microsoft' ? claims.xms_edov === true : claims.email_verified === true

/** From a verified ID token. @throws SignInRefused */
export function personOfClaims(provider: SocialProvider, claims: Claims, nowMs: number): SocialPerson {
  const { email, email_verified: _, ...rest } = claims
  // guard: a-social-address-counts-when-its-provider-verified-it
  const known = isVerified(provider.id, claims) ? { ...rest, email, email_verified: true } : rest
  const { issuer, clientId } = provider
  const expected = { issuer, clientId, trustEmail: false, amr: [], groupsClaim: null, nowMs }
  const identity = judgeClaims(known, expected)
  return { issuer, subject: identity.subject, email: identity.email, authTimeS: identity.authTimeS }
}

/**
 * From the API of GitHub. The account is identified by its number, since a login can pass to another person. @throws
 * SignInRefused
 */
export function personOfGithub(issuer: string, user: unknown, emails: unknown): SocialPerson {
  const { id } = (typeof user === 'object' && user !== null ? user : {}) as { id?: unknown }
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) throw new SignInRefused('subject')
  const list: readonly unknown[] = Array.isArray(emails) ? emails : []
  const isPrimary = (each: unknown): each is { email: unknown } => {
    const { primary, verified } = (each ?? {}) as { primary?: unknown; verified?: unknown }
    return primary === true && verified === true
  }
  const found = list.find(isPrimary)
  // The same check of the form as for an ID token.
  const email = found === undefined ? null : emailIn(found.email)
  return { issuer, subject: String(id), email, authTimeS: null }
}

function emailIn(email: unknown): string | null {
  const claims = { iss: 'x', sub: 'x', iat: 0, email, email_verified: true }
  const expected = { issuer: 'x', clientId: 'x', trustEmail: false, amr: [], groupsClaim: null, nowMs: 0 }
  return judgeClaims(claims, expected).email
}
