/**
 * Adds people of the account to one of its organizations. A person from outside the account is invited instead, because
 * a membership needs the person's consent (spec platform 0.1, 15.1).
 */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { liveOrganization } from '../account/organizations.js'
import { checkActiveAbove, checkWho, findMembership } from '../membership/find.js'
import { MemberRecord, memberRecord } from '../membership/record.js'
import { withSeats } from '../organization/seats.js'
import { organizationPath } from '../paths.js'
import { GRANTS_MORE } from '../step-up/when.js'
import { confirmStart, join, Level, personOf, startingRoles, Who } from './join.js'

/** `POST /organization/:id/members`. */
export const addMember = command({
  name: 'identity.member.add',
  summary: 'Add a person of the account to an organization',
  http: { method: 'post', ...organizationPath('/:id/members'), status: 201 },
  access: withStepUpWhen(GRANTS_MORE, permission('members:manage')),
  tenant: fromPath('id'),
  acrossOrganizations: 'seats are counted over the teams of the account',
  audit: ['org.member.add'],
  idempotent: true,
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject(
      {
        ...Who,
        role: Type.Optional(Level),
        roleIds: Type.Optional(Type.Array(Uuid, { maxItems: 50 })),
      },
      { examples: [{ email: 'ann@example.com', role: 'member' }] },
    ),
  },
  output: strictObject({ member: MemberRecord }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'SEAT_LIMIT', 'VALIDATION_ERROR'],
  prepare: (context, { body }) => confirmStart(context, 'identity.member.add', body),
  async run(context, { body }) {
    const { tx, authority, runtime, nowMs } = context
    checkWho(body)
    const org = await liveOrganization(tx, tenantId(context))
    const role = body.role ?? 'member'
    const roleIds = await startingRoles(tx, authority, org.id, { role, roleIds: body.roleIds ?? [] })
    const person = await personOf(tx, org.rootOrgId, body)
    await checkActiveAbove(tx, org, person.id)
    await withSeats(tx, { rootOrgId: org.rootOrgId, settings: runtime.settings, nowMs }, async () => {
      if ((await findMembership(tx, org.id, person.id)) !== null) {
        throw new Refusal('DUPLICATE_ENTRY', 'is a member already', { details: { field: 'userId' } })
      }
      await join(context, { orgId: org.id, userId: person.id, roleIds })
    })
    await context.audit('org.member.add', { targetType: 'user', targetId: person.id, details: { role, roleIds } })
    return changed({ member: await memberRecord(tx, org, person.id) })
  },
})
