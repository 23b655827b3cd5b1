/** What is done with quotas. */
import type { Operation } from '../runtime/operation/operation.js'
import { listAtRisk, listOwnAtRisk } from './at-risk/list.js'
import { incrementQuota } from './change/increment.js'
import { resetQuota } from './change/reset.js'
import { updateQuotas } from './change/update.js'
import { getOrganizationQuotas, getQuotaStatus, getQuotas } from './view/get.js'
import { listQuotas } from './view/list.js'

export const QUOTA_OPERATIONS: readonly Operation[] = [
  getQuotas,
  listQuotas,
  listAtRisk,
  getOrganizationQuotas,
  listOwnAtRisk,
  getQuotaStatus,
  updateQuotas,
  resetQuota,
  incrementQuota,
]
