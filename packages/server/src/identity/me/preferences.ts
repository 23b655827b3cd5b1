/** What a person keeps for themselves in an organization: favorites and what they used last. */
import { eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { signedIn } from '../../runtime/operation/access.js'
import { type Authority, unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { identityTables } from '../tables.js'

const Entries = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100, uniqueItems: true })
const Preferences = strictObject({ favorites: Entries, recents: Entries })
type Preferences = Static<typeof Preferences>

const EMPTY: Preferences = { favorites: [], recents: [] }

const paths = { path: '/auth/me/preferences', aliases: ['/me/preferences'] } as const

export const getPreferences = query({
  name: 'identity.me.get-preferences',
  summary: 'Get your preferences in the active organization',
  http: { method: 'get', ...paths },
  access: signedIn(),
  tenant: noTenant,
  input: {},
  output: Preferences,
  errors: [],
  async run(context) {
    const kept = await readPreferences(context.db, actingUser(context))
    return kept[activeOrg(context.authority)] ?? EMPTY
  },
})

export const setPreferences = command({
  name: 'identity.me.set-preferences',
  summary: 'Set your preferences in the active organization',
  http: { method: 'put', ...paths },
  access: signedIn(),
  tenant: noTenant,
  audit: none("a person's own preferences concern nobody else"),
  input: { body: Preferences },
  output: Preferences,
  errors: [],
  async run(context, { body }) {
    const { tx, authority } = context
    const userId = actingUser(context)
    const { users } = identityTables(tx)
    // Two organizations of the same person are kept in one field.
    await lockRow(tx, 'users', userId)
    const kept = await readPreferences(tx, userId)
    const preferences = { ...kept, [activeOrg(authority)]: body }
    await tx.update(users).set({ preferences }).where(eq(users.id, userId))
    return unchanged(body)
  },
})

function activeOrg({ org }: Authority): string {
  if (org === null) throw new Refusal('ORG_MISMATCH', 'you have no active organization: name one in `x-org-id`')
  return org.id
}

async function readPreferences(db: Db, userId: string): Promise<Readonly<Record<string, Preferences>>> {
  const { users } = identityTables(db)
  const [row] = await db.select({ preferences: users.preferences }).from(users).where(eq(users.id, userId))
  return (row?.preferences ?? {}) as Record<string, Preferences>
}
