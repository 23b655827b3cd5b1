/** The person's tokens that are not revoked, newest first; at most 50 of them are active. */
import { and, desc, eq, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { signedIn } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { ofBound } from '../confined-session.js'
import { credentialTables } from '../credential/tables.js'
import { PatView, patView } from './view.js'

const LISTED_MAX = 200

export const listPats = query({
  name: 'identity.pat.list',
  summary: 'List your personal access tokens',
  http: { method: 'get', path: '/auth/pats', aliases: ['/user/pats'] },
  access: signedIn(),
  tenant: noTenant,
  input: {},
  output: strictObject({ pats: Type.Array(PatView) }),
  errors: [],
  async run({ db, principal }) {
    const { userId } = sessionOf(principal)
    const { personalAccessTokens: table } = credentialTables(db)
    const rows = await db
      .select()
      .from(table)
      .where(and(eq(table.userId, userId), isNull(table.revokedAtMs), ofBound(table.orgId, principal)))
      .orderBy(desc(table.createdAtMs), desc(table.id))
      .limit(LISTED_MAX)
    return { pats: rows.map(patView) }
  },
})
