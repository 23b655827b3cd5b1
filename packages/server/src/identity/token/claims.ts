/**
 * The claims of signed tokens. Authority is never read from a claim (spec platform 3.7): `tier`, `features` and
 * `permissions` are hints for user interfaces. A token contains neither an e-mail address nor a user name.
 */

/** One audience per purpose, so that no token is accepted for another purpose. */
export const AUDIENCES = {
  access: 'plumbline:access',
  stepUp: 'plumbline:step-up',
  /** Proves that the password was right; the second factor is still missing. */
  mfa: 'plumbline:mfa',
} as const
export type Purpose = keyof typeof AUDIENCES

interface Standard {
  readonly sub: string
  /** Seconds since 1970. */
  readonly iat: number
  readonly exp: number
  readonly jti: string
}

export interface AccessClaims {
  /** A user id, or `service:<clientId>`. */
  readonly sub: string
  readonly typ: 'access'
  /** The session; absent for services, and the impersonator's own for an impersonation. */
  readonly sid?: string
  readonly org?: string
  readonly orgSlug?: string
  /** The account root, only in a team. */
  readonly root?: string
  readonly role?: 'owner' | 'admin' | 'member'
  readonly tier?: string
  readonly features?: readonly string[]
  readonly permissions?: readonly string[]
  readonly sa?: true
  /** The user's token version; absent for services. */
  readonly tv?: number
  readonly amr?: readonly string[]
  /** Seconds since 1970. */
  readonly auth_time?: number
  /** Services only. */
  readonly scope?: readonly string[]
  /** The impersonator, who acts as the subject, and whether the token is read-only. */
  readonly imp?: string
  readonly ro?: boolean
}

export interface StepUpClaims {
  readonly sub: string
  readonly sid: string
  /** The one operation that the token confirms; any operation when absent. */
  readonly action?: string
}

export interface MfaClaims {
  readonly sub: string
  /** The organization that the sign-in requested. */
  readonly org?: string
  /** How the first factor was proved; by password when absent. */
  readonly first?: 'social'
  /** The lockout key of the identifier that was used, cleared when the sign-in is complete. */
  readonly lock?: string
}

export interface ClaimsOf {
  readonly access: AccessClaims
  readonly stepUp: StepUpClaims
  readonly mfa: MfaClaims
}

export type Verified<P extends Purpose> = ClaimsOf[P] & Standard
