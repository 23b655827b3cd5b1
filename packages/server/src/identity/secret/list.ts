/** List the names of the secrets of an organization. */
import { asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { organizationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import { SecretRecord, secretRecord } from './rows.js'

export const listSecrets = query({
  name: 'identity.secret.list',
  summary: 'List the names of the secrets of an organization',
  http: { method: 'get', ...organizationPath('/:id/secrets') },
  access: permission('secrets:manage'),
  tenant: fromPath('id'),
  input: { path: Type.Object({ id: Type.String() }) },
  output: strictObject({ secrets: Type.Array(SecretRecord) }),
  errors: [],
  async run(context) {
    const { orgSecrets } = identityTables(context.db)
    // guard: the-list-of-secrets
    const rows = await context.db
      .select()
      .from(orgSecrets)
      .where(eq(orgSecrets.orgId, tenantId(context)))
      .orderBy(asc(orgSecrets.name))
    return { secrets: rows.map(secretRecord) }
  },
})
