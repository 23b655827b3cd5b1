/** What a confined session sees of lists that belong to the person: what is of its own organization. */
import { eq, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Principal } from '../runtime/operation/context.js'
import { isConfined } from './authenticator.js'

/** Undefined for every other session, which sees all. */
// guard: a-confined-session-sees-its-own-organization-alone
export const ofBound = (column: SQLiteColumn, principal: Principal): SQL | undefined =>
  isConfined(principal) && principal.kind === 'user' ? eq(column, principal.boundOrgId ?? '') : undefined

/** The same for what ends sessions. */
export const boundOf = (principal: Principal): { readonly boundOrgId?: string } =>
  isConfined(principal) && principal.kind === 'user' && principal.boundOrgId !== null
    ? { boundOrgId: principal.boundOrgId }
    : {}
