/** Set a secret of an organization. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { organizationPath } from '../paths.js'
import { identityOf } from '../services.js'
import { confirmIdentity } from '../step-up/when.js'
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

const releasesMore = (row: SecretRow, plugins: readonly string[] = []): boolean =>
  !row.plugins.includes('*') && plugins.some((each) => !row.plugins.includes(each))

export const setSecret = command({
  name: 'identity.secret.set',
  summary: 'Set a secret of an organization',
  http: { method: 'put', ...organizationPath('/:id/secrets/:name') },
  access: withStepUpWhen('a stored value is released to further plugins', permission('secrets:manage')),
  tenant: fromPath('id'),
  audit: ['org.secret.set'],
  input: {
    path: onSecret,
    body: strictObject({
      value: Type.Optional(
        Type.String({ minLength: 1, maxLength: VALUE_MAX, description: 'Does not change when left out' }),
      ),
      plugins: Type.Optional(
        Type.Array(PluginName, {
          maxItems: PLUGINS_MAX,
          uniqueItems: true,
          description:
            'Names of the plugins whose builds get it, or `*` for every plugin. Does not change when left out; no plugin gets a new secret.',
        }),
      ),
    }),
  },
  output: strictObject({ secret: SecretRecord }),
  errors: ['CONFLICT', 'VALIDATION_ERROR'],
  async prepare(context, { path: { name }, body: { value, plugins } }) {
    if (value !== undefined || plugins === undefined) return null
    const orgId = tenantId(context)
    const row = await context.read((db) => findSecret(db, orgId, name))
    if (row === null || !releasesMore(row, plugins)) return null
    // A build passes the value to the plugin's author, so a stolen session that releases a secret could read what
    // another person stored.
    // guard: a-confirmation-of-identity-for-a-secret-that-is-released
    await confirmIdentity(context, 'identity.secret.set')
    return { confirmedRevision: row.revision }
  },
  async run(context, { path: { name }, body: { value, plugins } }, prepared) {
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
      // The step-up confirmed the release of that revision.
      // guard: a-secret-is-the-one-whose-release-was-confirmed
      if (value === undefined && releasesMore(existing, plugins) && prepared?.confirmedRevision !== existing.revision) {
        throw new Refusal('CONFLICT', 'the secret was changed in the meantime: try again')
      }
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
