/** Whose rows an organization may read. Source: spec platform 3.11. */
import { SYSTEM_ORG_ID } from '../ids.js'
import type { TenantKey } from './db.js'

/** Its own rows, and what its parent and the system organization share, nearest first. */
export const tenantKeyFor = (orgId: string, parentOrgId: string | null): TenantKey => ({
  orgId,
  readableOrgIds: [parentOrgId, SYSTEM_ORG_ID].filter((id): id is string => id !== null && id !== orgId),
})
