/** Lists the social providers of this server. */
import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { asksAgain, SOCIAL_PROVIDERS, socialProviders } from '../social/catalogue.js'

export const listSocialProviders = query({
  name: 'sso.social-provider.list',
  summary: 'List the social providers of this server',
  http: { method: 'get', path: '/auth/oauth/providers' },
  access: anyone(),
  tenant: noTenant,
  input: {},
  output: strictObject({
    providers: Type.Array(
      strictObject({
        id: choice(SOCIAL_PROVIDERS),
        name: Type.String(),
        confirms: Type.Boolean({ description: 'Whether `POST /auth/oauth/{provider}/step-up` can use it' }),
      }),
    ),
  }),
  errors: [],
  run: async ({ runtime }) => ({
    providers: socialProviders(runtime.settings).map((each) => ({
      id: each.id,
      name: each.name,
      confirms: asksAgain(each),
    })),
  }),
})
