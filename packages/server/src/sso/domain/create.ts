/** Adds a domain to prove, and answers with the record to enter in the DNS. */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { checkedDomain } from '../domain-name.js'
import { onOrganization, organizationPath } from '../paths.js'
import { checkPlace } from '../place.js'
import { type DomainRow, ssoTables } from '../tables.js'
import { DomainAnswer, domainRecord } from './record.js'

const DOMAINS_MAX = 50

export const createDomain = command({
  name: 'sso.domain.create',
  summary: 'Add a domain whose people sign in with your identity provider',
  description: 'The answer contains a TXT record: enter it in the DNS, then start the verification.',
  http: { method: 'post', ...organizationPath('/domains'), status: 201 },
  access: withStepUp(withFeature('sso', permission('org:idp'))),
  tenant: fromPath('id'),
  audit: ['org.idp.domain.create'],
  idempotent: true,
  input: {
    path: onOrganization,
    body: strictObject({ domain: Type.String({ minLength: 1, maxLength: 253, examples: ['example.com'] }) }),
  },
  output: DomainAnswer,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, runtime, nowMs, authority } = context
    const orgId = tenantId(context)
    if (authority.org !== null) checkPlace(authority.org)
    const domain = checkedDomain(body.domain)
    await lockRow(tx, 'organizations', orgId)
    const { idpDomains: t } = ssoTables(tx)
    const count = await tx.$count(t, eq(t.orgId, orgId))
    if (count >= DOMAINS_MAX) throw new Refusal('CONFLICT', `there are ${count} domains: delete some first`)
    const row: DomainRow = {
      id: runtime.ids.next(),
      orgId,
      domain,
      heldDomain: null,
      token: randomBytes(24).toString('base64url'),
      verifiedAtMs: null,
      checkedAtMs: null,
      missingSinceMs: null,
      createdAtMs: nowMs,
    }
    if (!(await insertNew(tx, t, row))) {
      throw new Refusal('DUPLICATE_ENTRY', 'the organization has this domain: verify it, or delete it first', {
        details: { field: 'domain' },
      })
    }
    await context.audit('org.idp.domain.create', { targetType: 'domain', targetId: row.id, details: { name: domain } })
    return changed({ domain: domainRecord(row, nowMs) }, { status: 201 })
  },
})
