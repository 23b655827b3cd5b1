/** Looks up the record of a domain now. */

import { Refusal } from '../../runtime/errors.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { organizationPath } from '../paths.js'
import { ssoOf } from '../services.js'
import { keepLook } from './keep.js'
import { DomainAnswer, domainRecord, findDomain, onDomain, recordName, recordValue } from './record.js'

export const verifyDomain = command({
  name: 'sso.domain.verify',
  summary: 'Look up the record that proves a domain',
  http: { method: 'post', ...organizationPath('/domains/:domainId/verify') },
  access: withFeature('sso', permission('org:idp')),
  tenant: fromPath('id'),
  acrossOrganizations: 'a domain has one holder among all organizations',
  rateLimit: 'sso-setup',
  audit: ['org.idp.domain.verify', 'org.idp.domain.fail'],
  silentWhen: 'the lookup found nothing new',
  input: { path: onDomain },
  output: DomainAnswer,
  errors: ['CONFLICT', 'NOT_FOUND', 'UPSTREAM_TIMEOUT'],
  async prepare(context, { path }) {
    const row = await context.read((db) => findDomain(db, tenantId(context), path.domainId))
    return { answer: await ssoOf(context.runtime).resolveTxt(recordName(row.domain)) }
  },
  async run(context, { path }, { answer }) {
    const { tx, nowMs } = context
    const orgId = tenantId(context)
    if (answer.kind === 'unanswered') {
      throw new Refusal('UPSTREAM_TIMEOUT', `the name servers do not answer (${answer.reason}): try again`)
    }
    await lockRow(tx, 'organizations', orgId)
    const before = await findDomain(tx, orgId, path.domainId)
    const wanted = recordValue(before.token)
    const kept = await keepLook(tx, before, { atMs: nowMs, answer, wanted })
    if (kept.kind === 'taken') {
      throw new Refusal('CONFLICT', 'another organization proves this domain: its record must be removed first')
    }
    const about = { targetType: 'domain', targetId: before.id, details: { name: before.domain } }
    const data = { domain: domainRecord(kept.row, nowMs) }
    if (kept.isNew) await context.audit('org.idp.domain.verify', about)
    else if (kept.kind === 'lost') await context.audit('org.idp.domain.fail', { ...about, outcome: 'failure' })
    else return unchanged(data)
    return changed(data)
  },
})
