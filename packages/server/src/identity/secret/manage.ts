/**
 * An organization's secrets: names are listed, values are written and never shown. A value is sealed under
 * `SECRET_ENCRYPTION_KEYS` with its organization and name, so that a row moved to another place does not open.
 */
import { and, asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import type { SecretBox } from '../../runtime/secret-box.js'
import type { Db } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { organizationPath } from '../paths.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'

const SECRETS_MAX = 500
const VALUE_MAX = 32_768

const SecretName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z_][A-Za-z0-9_.-]*$',
  'x-says': 'must begin with a letter or an underscore and have letters, digits, dots, underscores and hyphens alone',
})
const SecretRecord = strictObject({
  name: Type.String(),
  path: Type.String({ description: 'Where a build finds it' }),
  updatedAt: Instant,
  updatedBy: Type.String(),
})

export type SecretRow = ReturnType<typeof identityTables>['orgSecrets']['$inferSelect']

/** What is authenticated with the sealed value. */
export const secretPurpose = (orgId: string, name: string): string => `org-secret\n${orgId}\n${name}`

const secretRecord = ({ orgId, name, updatedAtMs, updatedBy }: SecretRow) => ({
  name,
  path: `plumbline/${orgId}/${name}`,
  updatedAt: toIso(updatedAtMs),
  updatedBy,
})

/** The value, for the build that is given it; null when there is no such secret. Never for an answer to a request. */
export async function readSecret(db: Db, box: SecretBox, orgId: string, name: string): Promise<string | null> {
  const row = await findSecret(db, orgId, name)
  return row === null ? null : box.open(row.sealed, secretPurpose(orgId, name))
}

async function findSecret(db: Db, orgId: string, name: string): Promise<SecretRow | null> {
  const { orgSecrets } = identityTables(db)
  const [row] = await db
    .select()
    .from(orgSecrets)
    .where(and(eq(orgSecrets.orgId, orgId), eq(orgSecrets.name, name)))
  return row ?? null
}

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
    const rows = await context.db
      .select()
      .from(orgSecrets)
      .where(eq(orgSecrets.orgId, tenantId(context)))
      .orderBy(asc(orgSecrets.name))
    return { secrets: rows.map(secretRecord) }
  },
})

const onSecret = Type.Object({ id: Type.String(), name: SecretName })

export const setSecret = command({
  name: 'identity.secret.set',
  summary: 'Set a secret of an organization',
  http: { method: 'put', ...organizationPath('/:id/secrets/:name') },
  access: permission('secrets:manage'),
  tenant: fromPath('id'),
  audit: ['org.secret.set'],
  input: {
    path: onSecret,
    body: strictObject({ value: Type.String({ minLength: 1, maxLength: VALUE_MAX }) }),
  },
  output: strictObject({ secret: SecretRecord }),
  errors: ['CONFLICT'],
  async run(context, { path: { name }, body: { value } }) {
    const { tx, runtime, nowMs } = context
    const orgId = tenantId(context)
    await lockRow(tx, 'organizations', orgId)
    const sealed = identityOf(context).box.seal(value, secretPurpose(orgId, name))
    const existing = await findSecret(tx, orgId, name)
    const { orgSecrets } = identityTables(tx)
    let row: SecretRow
    if (existing === null) {
      const count = await tx.$count(orgSecrets, eq(orgSecrets.orgId, orgId))
      if (count >= SECRETS_MAX) throw new Refusal('CONFLICT', `there are ${count} secrets: delete some first`)
      row = {
        id: runtime.ids.next(),
        orgId,
        name,
        sealed,
        updatedBy: actingUser(context),
        revision: 1,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      }
      await tx.insert(orgSecrets).values(row)
    } else {
      context.checkRevision(existing.revision)
      row = {
        ...existing,
        sealed,
        updatedBy: actingUser(context),
        revision: existing.revision + 1,
        updatedAtMs: nowMs,
      }
      await tx
        .update(orgSecrets)
        .set(row)
        .where(and(eq(orgSecrets.id, row.id), eq(orgSecrets.orgId, orgId)))
    }
    await context.audit('org.secret.set', { targetType: 'secret', targetId: row.id, details: { name } })
    return changed({ secret: secretRecord(row) })
  },
})

export const deleteSecret = command({
  name: 'identity.secret.delete',
  summary: 'Delete a secret of an organization',
  http: { method: 'delete', ...organizationPath('/:id/secrets/:name'), status: 204 },
  access: permission('secrets:manage'),
  tenant: fromPath('id'),
  audit: ['org.secret.delete'],
  input: { path: onSecret },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path: { name } }) {
    const { tx } = context
    const orgId = tenantId(context)
    const row = await findSecret(tx, orgId, name)
    if (row === null) throw notFound('Secret')
    context.checkRevision(row.revision)
    const { orgSecrets } = identityTables(tx)
    await tx.delete(orgSecrets).where(and(eq(orgSecrets.id, row.id), eq(orgSecrets.orgId, orgId)))
    await context.audit('org.secret.delete', { targetType: 'secret', targetId: row.id, details: { name } })
    return changed(null)
  },
})
