/** Sets which Roles the groups of an identity provider give. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { FOLLOWING, mappingOf, sessionOf, setMapping } from '../../identity/index.js'
import { invalidField } from '../../runtime/errors.js'
import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { organizationPath } from '../paths.js'
import { findProvider, onProvider } from '../provider/record.js'
import { ssoTables } from '../tables.js'
import { GroupMappingAnswer } from './record.js'

export const updateGroupRole = command({
  name: 'sso.group-role.update',
  summary: 'Map the groups of an identity provider to Roles',
  description:
    'Replaces the whole mapping; `If-Match` names the revision that you read. You can map only Roles that you could give by hand, and the people get their Roles at once. A mapping gives its  ' +
    'Role to more people only while you can give that Role; a Role that was given by hand stays.',
  http: { method: 'put', ...organizationPath('/idps/:idpId/groups') },
  access: withStepUp(withFeature('sso', permission('org:idp'))),
  tenant: fromPath('id'),
  acrossOrganizations: 'what the author of a mapping holds may come from the account',
  audit: ['org.group-role.update', ...FOLLOWING],
  input: {
    path: onProvider,
    body: strictObject({
      groups: Type.Array(
        strictObject({
          name: name(1, 255, 'As the provider spells it, or its id there'),
          roleIds: Type.Array(Uuid, { minItems: 1, maxItems: 20, uniqueItems: true }),
        }),
        { maxItems: 200 },
      ),
    }),
  },
  output: GroupMappingAnswer,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'PRECONDITION_FAILED', 'VALIDATION_ERROR'],
  async run(context, { path, body: { groups } }) {
    const { tx, runtime } = context
    await lockRow(tx, 'organizations', tenantId(context))
    const provider = await findProvider(tx, tenantId(context), path.idpId)
    // guard: a-mapping-that-changed-is-not-replaced
    context.checkRevision(provider.groupsRevision)
    const twice = groups.findIndex((group, at) => groups.findIndex((each) => each.name === group.name) !== at)
    if (twice !== -1) throw invalidField(`/body/groups/${twice}/name`, 'is named twice', 'duplicate')
    const { userId } = sessionOf(context.principal)
    const isOther = await setMapping(context, provider, groups, userId)
    const revision = provider.groupsRevision + (isOther ? 1 : 0)
    const { identityProviders: t } = ssoTables(tx)
    const isIt = and(eq(t.orgId, provider.orgId), eq(t.id, provider.id))
    if (isOther) await tx.update(t).set({ groupsRevision: revision }).where(isIt)
    const data = { ...(await mappingOf({ db: tx, runtime }, provider)), revision }
    return isOther ? changed(data) : unchanged(data)
  },
})
