/** `GET /quotas/at-risk`: lists the accounts that are near a limit. */
import { systemAdmin } from '../../runtime/operation/access.js'
import { LIMIT_DEFAULT } from '../../runtime/operation/list.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { findAtRisk } from './query.js'
import { AtRisk, THRESHOLD_DEFAULT, wanted } from './record.js'

export const listAtRisk = query({
  name: 'quota.at-risk.list',
  summary: 'List the organizations that are near a limit',
  http: { method: 'get', path: '/quotas/at-risk' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: { query: wanted },
  output: AtRisk,
  errors: [],
  async run({ runtime, db, nowMs }, { query: asked }) {
    const { threshold = THRESHOLD_DEFAULT, type, limit = LIMIT_DEFAULT, offset = 0 } = asked
    const { atRisk, total } = await findAtRisk(runtime, db, { threshold, type, limit, offset }, nowMs)
    return { atRisk, count: atRisk.length, total, threshold, complete: true as const }
  },
})
