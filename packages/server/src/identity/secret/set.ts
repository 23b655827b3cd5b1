/** Set a secret of an organization. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { organizationPath } from '../paths.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'
import { findSecret, onSecret, SecretRecord, type SecretRow, secretPurpose, secretRecord } from './rows.js'

const SECRETS_MAX = 500

const VALUE_MAX = 32_768
const PLUGINS_MAX = 100

const PluginName = Type.String({
  maxLength: 64,
  pattern: '^([a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?|\\*)$',
  'x-says': 'must be the name of a plugin, or `*`',
  examples: ['web-lint'],
})

export const setSecret = command({
  name: 'identity.secret.set',
  summary: 'Set a secret of an organization',
  http: { method: 'put', ...organizationPath('/:id/secrets/:name') },
  access: permission('secrets:manage'),
  tenant: fromPath('id'),
  audit: ['org.secret.set'],
  input: {
    path: onSecret,
    body: strictObject({
      value: Type.Optional(
        Type.String({ minLength: 1, maxLength: VALUE_MAX, description: 'Stays as it is when left out' }),
      ),
      plugins: Type.Optional(
        Type.Array(PluginName, {
          maxItems: PLUGINS_MAX,
          uniqueItems: true,
          description:
            'Names of the plugins whose builds may have it, or `*` for every one. Stays as it is when left out; a new secret is released to none.',
        }),
      ),
    }),
  },
  output: strictObject({ secret: SecretRecord }),
  errors: ['CONFLICT', 'VALIDATION_ERROR'],
  async run(context, { path: { name }, body: { value, plugins } }) {
    const { tx, runtime, nowMs } = context
    const orgId = tenantId(context)
    await lockRow(tx, 'organizations', orgId)
    const existing = await findSecret(tx, orgId, name)
    const sealed =
      value === undefined ? existing?.sealed : identityOf(context).box.seal(value, secretPurpose(orgId, name))
    if (sealed === undefined) throw invalidField('/body/value', 'is required for a new secret', 'required')
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
        plugins: plugins ?? [],
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
        plugins: plugins ?? existing.plugins,
        updatedBy: actingUser(context),
        revision: existing.revision + 1,
        updatedAtMs: nowMs,
      }
      await tx
        .update(orgSecrets)
        .set(row)
        .where(and(eq(orgSecrets.id, row.id), eq(orgSecrets.orgId, orgId)))
    }
    await context.audit('org.secret.set', {
      targetType: 'secret',
      targetId: row.id,
      details: { name, plugins: row.plugins },
    })
    return changed({ secret: secretRecord(row) })
  },
})
