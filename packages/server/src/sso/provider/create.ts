import { permission, withFeature, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { onOrganization, organizationPath } from '../paths.js'
import { ChangedProvider, ProviderBody } from './record.js'
import { answerOf, insertProvider, SETTING_UP } from './write.js'

export const createProvider = command({
  name: 'sso.provider.create',
  summary: 'Add an identity provider to an organization',
  description: 'Any provider of OpenID Connect. The answer contains the redirect address to enter there.',
  http: { method: 'post', ...organizationPath('/idps'), status: 201 },
  access: withStepUp(withFeature('sso', permission('org:idp'))),
  tenant: fromPath('id'),
  ...SETTING_UP,
  idempotent: true,
  input: { path: onOrganization, body: ProviderBody },
  output: ChangedProvider,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'QUOTA_EXCEEDED', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const row = await insertProvider(context, body)
    return changed(await answerOf(context, row), { status: 201 })
  },
})
