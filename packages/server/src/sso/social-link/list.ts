/** Lists the external accounts that the person can sign in with. */
import { asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { credentialTables, sessionOf } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import { ownAccount } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'

export const listSocialLinks = query({
  name: 'sso.social-link.list',
  summary: 'List the accounts that you can sign in with',
  http: { method: 'get', path: '/auth/me/links' },
  access: ownAccount(),
  tenant: noTenant,
  input: {},
  output: strictObject({
    links: Type.Array(
      strictObject({
        provider: Type.String(),
        email: nullable(Type.String({ description: 'As the provider named it when it was linked' })),
        linkedAt: Instant,
        lastUsedAt: Instant,
      }),
    ),
  }),
  errors: ['INSUFFICIENT_PERMISSIONS'],
  async run({ db, principal }) {
    const { userId } = sessionOf(principal)
    const { socialLinks: t } = credentialTables(db)
    const rows = await db.select().from(t).where(eq(t.userId, userId)).orderBy(asc(t.createdAtMs), asc(t.id))
    return {
      links: rows.map(({ provider, email, createdAtMs, lastUsedAtMs }) => ({
        provider,
        email,
        linkedAt: toIso(createdAtMs),
        lastUsedAt: toIso(lastUsedAtMs),
      })),
    }
  },
})
