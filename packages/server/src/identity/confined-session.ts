/** A confined session sees only the items of its own organization in lists that belong to the person. */
import { eq, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Principal } from '../runtime/operation/context.js'
import { isConfined } from '../runtime/operation/session-kind.js'

/** Undefined for every other session, which sees all items. */
// guard: a-confined-session-sees-its-own-organization-alone
export const ofBound = (column: SQLiteColumn, principal: Principal): SQL | undefined =>
  isConfined(principal) && principal.kind === 'user' ? eq(column, principal.boundOrgId ?? '') : undefined

/** The same restriction, for operations that end sessions. */
export const boundOf = (principal: Principal): { readonly boundOrgId?: string } =>
  isConfined(principal) && principal.kind === 'user' && principal.boundOrgId !== null
    ? { boundOrgId: principal.boundOrgId }
    : {}
