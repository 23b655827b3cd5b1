/** Who may call an operation: a small union that is checked in one place and printed in the permission table. */

import type { Feature } from '@plumbline/billing-core'
import { declared } from '../declared.js'

/** The permissions, as the domains declare them (spec platform 5). */
export const PERMISSION_CATALOGUE = declared('permissions')
export type Permission = keyof typeof PERMISSION_CATALOGUE
export const PERMISSIONS = Object.keys(PERMISSION_CATALOGUE) as Permission[]

/** Features that a tier or an add-on unlocks (spec platform 12.2). */
export { type Feature, features as FEATURES } from '@plumbline/billing-core'

/** Scopes of service principals (spec platform 4.8). */
export const ORG_SCOPES = [
  'reporting:ingest',
  'registry:deploy',
  'pipelines:read',
  'plugins:read',
  'compliance:validate',
  'images:pull',
  'images:push',
  'images:scan',
] as const
export const SYSTEM_SCOPES = [
  'quota:increment',
  'quota:reset',
  'entitlements:sync',
  'retention:sync',
  'seats:sync',
  'members:probe',
  'audit:ingest',
  'compliance:check',
  'compliance:events',
  'messages:notify',
  'builds:work',
] as const
/** Scopes of tokens that are made for one purpose. No service principal has them. */
export const TOKEN_SCOPES = ['scim:provision'] as const
export type Scope = (typeof ORG_SCOPES)[number] | (typeof SYSTEM_SCOPES)[number] | (typeof TOKEN_SCOPES)[number]

/** One way to be let in. An operation lists one or several, and the caller needs one of them. */
export type Door =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed-in' }
  /** The person of the account itself: not a token, not an impersonation, not a session that an identity provider vouches for. */
  | { readonly kind: 'account' }
  /** An active member of the tenant, whatever their role is. */
  | { readonly kind: 'member' }
  | { readonly kind: 'permission'; readonly mode: 'all' | 'any'; readonly permissions: readonly Permission[] }
  | { readonly kind: 'scope'; readonly scope: Scope }
  /** The owner of the tenant. */
  | { readonly kind: 'owner' }
  | { readonly kind: 'system-admin' }

export interface Access {
  readonly doors: readonly Door[]
  /** Features that the tenant needs in addition. A system administrator is exempt. */
  readonly features: readonly Feature[]
  /** Whether step-up is required. `except-services`: service principals need none. */
  readonly stepUp: false | 'always' | 'except-services'
  /**
   * A token that is restricted to some permissions passes only doors that ask for a permission. With one of the
   * permissions listed here, or with any, it passes the other doors too.
   */
  readonly openToNarrowed?: 'any' | readonly Permission[]
  /**
   * Which requests need step-up when not all of them do; the operation checks it in `prepare`. The text completes
   * "step-up when".
   */
  readonly stepUpWhen?: string
}

const door = (...doors: Door[]): Access => ({ doors, features: [], stepUp: false })

export const anyone = (): Access => door({ kind: 'public' })
export const signedIn = (): Access => door({ kind: 'signed-in' })
export const ownAccount = (): Access => door({ kind: 'account' })
export const member = (): Access => door({ kind: 'member' })
export const permission = (...permissions: Permission[]): Access =>
  door({ kind: 'permission', mode: 'all', permissions })
export const scope = (name: Scope): Access => door({ kind: 'scope', scope: name })
export const owner = (): Access => door({ kind: 'owner' })
export const systemAdmin = (): Access => door({ kind: 'system-admin' })

/** Combines several ways in; the features and the step-up of all of them are required. */
export function either(...ways: Access[]): Access {
  return {
    doors: ways.flatMap(({ doors }) => doors),
    features: [...new Set(ways.flatMap(({ features }) => features))],
    stepUp: ways.map(({ stepUp }) => stepUp).find((each) => each !== false) ?? false,
  }
}

export const withFeature = (feature: Feature, access: Access): Access => ({
  ...access,
  features: [...access.features, feature],
})

export const openToNarrowed = (by: 'any' | readonly Permission[], access: Access): Access => ({
  ...access,
  openToNarrowed: by,
})

export const withStepUpWhen = (stepUpWhen: string, access: Access): Access => ({ ...access, stepUpWhen })

export const withStepUp = (access: Access, who: 'always' | 'except-services' = 'always'): Access => ({
  ...access,
  stepUp: who,
})
