/** What a world of the proofs is made of: organizations, who calls, and what must not cross a border. */
import type { App } from '../../src/app.js'
import type { ProofDatabase } from './database.js'

export const ROOTS = 8
export const ORGANIZATIONS = 20
export const ROOTS_WITH_TEAMS = 4
export const PASSWORD = 'Correct-Horse-7'

/** Kinds of things with an id, and the texts by which they are named. */
export type Kind =
  | 'organization'
  | 'user'
  | 'role'
  | 'invitation'
  | 'invitationToken'
  | 'principal'
  | 'client'
  | 'pat'
  | 'session'
  | 'secret'
  | 'rule'
  | 'policy'
  | 'exemption'
  | 'scan'
  | 'schedule'
  | 'slug'
  | 'email'
  | 'message'
  | 'attachment'
  | 'notification'
  | 'plugin'
  | 'pluginName'
  | 'build'
  | 'pipeline'
  | 'template'
  | 'subscription'
  | 'invoice'
  | 'alert'

export interface ProofOrganization {
  readonly index: number
  readonly id: string
  readonly slug: string
  readonly parent: number | null
  readonly children: readonly number[]
  readonly things: Record<Kind, string[]>
}

export type PrincipalKind =
  | 'owner'
  | 'admin'
  | 'member'
  | 'parent admin'
  | 'personal token'
  | 'removed member'
  | 'impersonator'
  | 'anonymous'
  | 'service'
  | 'directory'
  | 'system service'
  | 'super admin'

export interface ProofPrincipal {
  readonly kind: PrincipalKind
  /** Empty for a caller without one. */
  readonly token: string
  /** Its own organization; null for those of the system. */
  readonly home: number | null
  /** The organizations whose records it may see. */
  readonly sees: ReadonlySet<number>
  /** Can confirm its identity by the password. */
  readonly canStepUp: boolean
  /** Its own id or client id: what it may always see of itself. */
  readonly self: string
}

/** Something that must not cross a border: an id or a canary, and the organizations whose members may see it. */
export interface Marked {
  readonly text: string
  readonly seenIn: ReadonlySet<number>
  /** The person or machine itself, who may always see it. */
  readonly owner?: string
}

export interface World {
  readonly database: ProofDatabase
  readonly organizations: readonly ProofOrganization[]
  readonly principals: readonly ProofPrincipal[]
  /** By text, in lower case. */
  readonly marks: ReadonlyMap<string, Marked>
  /** An app on the database as it is, with empty caches. */
  open(): App
  /** Brings the database back to its state after building, and makes apps forget what they read since. */
  reset(): Promise<void>
  /** Moves the clock, by less than a token lives. */
  later(ms: number): void
  /** What was logged since the last call. */
  takeLog(): string
  close(): Promise<void>
}

/** A canary: the organization's number and what it names. */
export const canary = (index: number, what: string): string => `cnr${String(index).padStart(2, '0')}x${what}`
export const CANARY = /cnr\d\dx[a-z0-9]+/gi
