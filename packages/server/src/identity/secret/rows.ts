/** The rows of secrets: found by name, decrypted only for code that needs the value, shown without their value. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import type { SecretBox } from '../../runtime/secret-box.js'
import type { Db } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

const SecretName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z_][A-Za-z0-9_.-]*$',
  'x-says':
    'must begin with a letter or an underscore and can have only letters, digits, dots, underscores and hyphens',
})

export const SecretRecord = strictObject({
  name: Type.String(),
  path: Type.String({ description: 'The variable in which a build finds it' }),
  plugins: Type.Array(Type.String(), {
    description: 'The plugins whose builds get it; `*` is every plugin, an empty list is none',
  }),
  updatedAt: Instant,
  updatedBy: Type.String(),
})

export type SecretRow = ReturnType<typeof identityTables>['orgSecrets']['$inferSelect']

/** The associated data that is authenticated with the ciphertext. */
export const secretPurpose = (orgId: string, name: string): string => `org-secret\n${orgId}\n${name}`

export const secretRecord = ({ orgId, name, plugins, updatedAtMs, updatedBy }: SecretRow) => ({
  name,
  path: `plumbline/${orgId}/${name}`,
  plugins: [...plugins],
  updatedAt: toIso(updatedAtMs),
  updatedBy,
})

/**
 * The value, for a build of the plugin. It must never be in an answer to a person's request.
 * @returns null when the secret does not exist; `withheld` when it is not released to the plugin.
 */
export async function readSecret(
  db: Db,
  box: SecretBox,
  orgId: string,
  { name, pluginName }: { readonly name: string; readonly pluginName: string },
): Promise<{ readonly value: string } | 'withheld' | null> {
  const row = await findSecret(db, orgId, name)
  if (row === null) return null
  // guard: a-secret-is-released-by-name
  if (!isReleased(row, pluginName)) return 'withheld'
  return { value: box.open(row.sealed, secretPurpose(orgId, name)) }
}

/** Whether builds of the plugin may read the secret. */
export const isReleased = ({ plugins }: Pick<SecretRow, 'plugins'>, pluginName: string): boolean =>
  plugins.includes('*') || plugins.includes(pluginName)

export async function findSecret(db: Db, orgId: string, name: string): Promise<SecretRow | null> {
  const { orgSecrets } = identityTables(db)
  // guard: a-secret-by-name
  const [row] = await db
    .select()
    .from(orgSecrets)
    .where(and(eq(orgSecrets.orgId, orgId), eq(orgSecrets.name, name)))
  return row ?? null
}

export const onSecret = Type.Object({ id: Type.String(), name: SecretName })
