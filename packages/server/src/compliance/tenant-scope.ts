/** The part of the store that work for one organization may touch. */
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import type { Store, StoreScope } from '../runtime/store/db.js'
import type { Held } from './rule-set/stamp.js'

export const tenantScope = (store: Store, { orgId, parentOrgId }: Held): StoreScope =>
  store.tenant({ orgId, readableOrgIds: parentOrgId === null ? [SYSTEM_ORG_ID] : [parentOrgId, SYSTEM_ORG_ID] })
