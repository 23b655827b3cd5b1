/** Turns enforced single sign-on on or off for everyone who acts in the organization and its teams. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { doorOpenedMail, dropStale, mailRecipients, sessionOf } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { Refusal } from '../../runtime/errors.js'
import { sendMail } from '../../runtime/mail/send.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { onOrganization, organizationPath } from '../paths.js'
import { checkPlace } from '../place.js'
import { EnforcementRecord, enforcementOf } from './conditions.js'

export const setEnforcement = command({
  name: 'sso.enforcement.set',
  summary: 'Require the identity provider for everybody who acts in the organization',
  description:
    'Members of other domains need the provider too; other organizations are not affected. It stays enforced ' +
    'while the provider is broken; the owner then signs in with password and second factor.',
  http: { method: 'put', ...organizationPath('/idp/enforcement') },
  access: withStepUp(permission('org:idp')),
  tenant: fromPath('id'),
  acrossOrganizations: 'the second factor of the owner belongs to no organization',
  audit: ['org.idp.enforce'],
  input: { path: onOrganization, body: strictObject({ enforced: Type.Boolean() }) },
  output: strictObject({ enforcement: EnforcementRecord }),
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS'],
  async run(context, { body }) {
    const { tx, nowMs, authority, actor } = context
    const orgId = tenantId(context)
    const { userId } = sessionOf(context.principal)
    if (authority.org !== null) checkPlace(authority.org)
    await lockRow(tx, 'organizations', orgId)
    const before = await enforcementOf(tx, orgId, userId, nowMs)
    if (before.enforced === body.enforced) return unchanged({ enforcement: before })
    if (body.enforced) checkConditions(before, authority.org?.features.has('sso') === true)
    const { organizations } = identityTables(tx)
    await tx
      .update(organizations)
      .set({ ssoEnforcedAtMs: body.enforced ? nowMs : null, ssoLostAtMs: null, updatedAtMs: nowMs })
      .where(eq(organizations.id, orgId))
    dropStale(context, { orgId })
    await context.audit('org.idp.enforce', {
      targetType: 'organization',
      targetId: orgId,
      affectedOrgId: orgId,
      details: { enforced: body.enforced },
    })
    if (!body.enforced) {
      const values = { organization: authority.org?.name ?? '', by: actor.email ?? actor.id }
      for (const to of await mailRecipients(tx, orgId, null)) await sendMail(context, to, doorOpenedMail, values)
    }
    return changed({ enforcement: await enforcementOf(tx, orgId, userId, nowMs) })
  },
})

function checkConditions(
  { conditions }: { readonly conditions: readonly { name: string; isMet: boolean; fix: string }[] },
  hasFeature: boolean,
): void {
  const missing = conditions.filter(({ isMet }) => !isMet)
  // guard: nobody-is-locked-out-by-switching-on
  if (missing.length > 0) {
    throw new Refusal('CONFLICT', `not yet: ${missing.map(({ fix }) => fix).join('; ')}`, {
      details: { missing: missing.map(({ name }) => name) },
    })
  }
  if (!hasFeature) throw new Refusal('CONFLICT', 'the account has no single sign-on: its plan or an add-on includes it')
}
