/** Sets the default identity provider of an organization: creates it, or replaces it. */
import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { ownUrl } from '../own-url.js'
import { onOrganization, organizationPath } from '../paths.js'
import { ProviderAnswer, ProviderBody, providerRecord, providersOf } from '../provider/record.js'
import { changeProvider, insertProvider, SETTING_UP } from '../provider/write.js'

export const setDefaultProvider = command({
  name: 'sso.default-provider.set',
  summary: 'Set the default identity provider of an organization',
  description: 'Fields that the body leaves out get their defaults; the client secret of an existing provider stays.',
  http: { method: 'put', ...organizationPath('/idp') },
  access: withStepUp(withFeature('sso', permission('org:idp'))),
  tenant: fromPath('id'),
  ...SETTING_UP,
  input: { path: onOrganization, body: ProviderBody },
  output: ProviderAnswer,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'QUOTA_EXCEEDED', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const orgId = tenantId(context)
    // Of two first requests the later one replaces what the earlier one created.
    await lockRow(context.tx, 'organizations', orgId)
    const found = (await providersOf(context.tx, orgId)).find(({ isDefault }) => isDefault)
    if (found === undefined) context.checkRevision(0)
    const { row, isChanged } =
      found === undefined
        ? { row: await insertProvider(context, body), isChanged: true }
        : await changeProvider(context, found, body, true)
    const data = { provider: providerRecord(row, ownUrl(context.runtime)) }
    return isChanged ? changed(data) : unchanged(data)
  },
})
