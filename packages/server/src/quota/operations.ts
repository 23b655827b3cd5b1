/** The operations of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { listAtRisk } from './at-risk/list.js'
import { listOwnAtRisk } from './at-risk/list-own.js'
import { getQuotas } from './quota/get.js'
import { getOwnQuotas } from './quota/get-own.js'
import { getQuotaStatus } from './quota/get-status.js'
import { incrementQuota } from './quota/increment.js'
import { listQuotas } from './quota/list.js'
import { resetQuota } from './quota/reset.js'
import { updateQuotas } from './quota/update.js'

export const QUOTA_OPERATIONS: readonly Operation[] = [
  getOwnQuotas,
  listQuotas,
  listAtRisk,
  getQuotas,
  listOwnAtRisk,
  getQuotaStatus,
  updateQuotas,
  resetQuota,
  incrementQuota,
]
