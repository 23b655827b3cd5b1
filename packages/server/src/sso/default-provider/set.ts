/** Sets the default identity provider of an organization: creates it, or replaces it. */
import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { onOrganization, organizationPath } from '../paths.js'
import { ChangedProvider, ProviderBody, providersOf } from '../provider/record.js'
import { answerOf, changeProvider, insertProvider, SETTING_UP } from '../provider/write.js'

export const setDefaultProvider = command({
  name: 'sso.default-provider.set',
  summary: 'Set the default identity provider of an organization',
  description: 'Fields that the body leaves out get their defaults; the client secret of an existing provider stays.',
  http: { method: 'put', ...organizationPath('/idp') },
  access: withStepUp(withFeature('sso', permission('org:idp'))),
  tenant: fromPath('id'),
  ...SETTING_UP,
  input: { path: onOrganization, body: ProviderBody },
  output: ChangedProvider,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'QUOTA_EXCEEDED', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const orgId = tenantId(context)
    // Of two first requests the later one replaces what the earlier one created.
    await lockRow(context.tx, 'organizations', orgId)
    const found = (await providersOf(context.tx, orgId)).find(({ isDefault }) => isDefault)
    if (found === undefined) context.checkRevision(0)
    if (found !== undefined) return changeProvider(context, found, body, true)
    return changed(await answerOf(context, await insertProvider(context, body)))
  },
})
