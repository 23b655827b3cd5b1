/** Answers whether an address signs in with an identity provider. */
import { and, eq, getTableColumns } from 'drizzle-orm'
import Type from 'typebox'
import { identityTables } from '../../identity/tables.js'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { domainOf } from '../domain-name.js'
import { ssoTables } from '../tables.js'
import { isServed } from './organization.js'

export const discoverSignIn = query({
  name: 'sso.sign-in.discover',
  summary: 'Check whether an e-mail address signs in with an identity provider',
  description: 'Only the domain is checked: the answer does not reveal whether the address has an account.',
  http: { method: 'post', path: '/auth/sso/discover' },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  input: { body: strictObject({ email: Type.String({ format: 'email', maxLength: 254 }) }) },
  output: strictObject({
    sso: Type.Boolean(),
    authorizePath: nullable(Type.String({ description: 'Where the sign-in starts, below the base path' })),
  }),
  errors: [],
  async run({ db, runtime }, { body }) {
    const { idpDomains, identityProviders } = ssoTables(db)
    const { organizations } = identityTables(db)
    const [org] = await db
      .select(getTableColumns(organizations))
      .from(idpDomains)
      .innerJoin(organizations, eq(organizations.id, idpDomains.orgId))
      .innerJoin(identityProviders, eq(identityProviders.orgId, idpDomains.orgId))
      .where(
        and(
          eq(idpDomains.heldDomain, domainOf(body.email) ?? ''),
          eq(identityProviders.isDefault, true),
          eq(identityProviders.enabled, true),
        ),
      )
    if (org === undefined || !isServed(org, runtime.settings)) return { sso: false, authorizePath: null }
    return { sso: true, authorizePath: `/auth/sso/${org.id}/authorize` }
  },
})
