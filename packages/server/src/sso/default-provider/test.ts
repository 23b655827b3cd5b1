/** Try the default identity provider out: a sign-in that shows what its claims would do, and does none of it. */
import Type from 'typebox'
import { sessionOf } from '../../identity/index.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath, none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { askingOf, insertFlow, newSecrets, peerOf, startUrlOf, UNBOUND } from '../flow/begin.js'
import { onOrganization, organizationPath } from '../paths.js'
import { findProvider } from '../provider/record.js'
import { ssoOf } from '../services.js'

export const testDefaultProvider = command({
  name: 'sso.default-provider.test',
  summary: 'Try the default identity provider out by a sign-in that changes nothing',
  description: 'Open the address in a browser and sign in: the page shows the claims, and what they would do.',
  http: { method: 'post', ...organizationPath('/idp/test') },
  access: withFeature('sso', permission('org:idp')),
  tenant: fromPath('id'),
  acrossOrganizations: 'a sign-in under way belongs to no organization yet',
  rateLimit: 'sso-setup',
  secretOutput: true,
  audit: none('a sign-in that begins changes nothing; its end is an event'),
  input: { path: onOrganization },
  output: strictObject({ url: Type.String({ description: 'Open it in a browser; good once, for 10 minutes' }) }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  async prepare(context) {
    const session = sessionOf(context.principal)
    const provider = await context.read((db) => findProvider(db, tenantId(context), null))
    const secrets = newSecrets()
    // What is wrong with the address or the metadata is told at once.
    await ssoOf(context.runtime).oidc.authorizeUrl(
      peerOf(context.runtime, provider),
      askingOf(provider, secrets, 'test'),
    )
    return { session, provider, secrets }
  },
  async run(context, _input, { session, provider, secrets }) {
    const { tx, runtime } = context
    await insertFlow(tx, runtime, provider, secrets, { kind: 'test', browserHash: UNBOUND, ...session })
    return unchanged({ url: startUrlOf(runtime, secrets.state) })
  },
})
