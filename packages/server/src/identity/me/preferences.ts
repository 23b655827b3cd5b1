/** What a person keeps for themselves in an organization: favorites and what they used last. */
import { eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import type { Authority } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

const Entries = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100, uniqueItems: true })

export const Preferences = strictObject({ favorites: Entries, recents: Entries })

export type Preferences = Static<typeof Preferences>

export const EMPTY: Preferences = { favorites: [], recents: [] }

export const paths = { path: '/auth/me/preferences', aliases: ['/me/preferences'] } as const

export function activeOrg({ org }: Authority): string {
  if (org === null) throw new Refusal('ORG_MISMATCH', 'you have no active organization: name one in `x-org-id`')
  return org.id
}

export async function readPreferences(db: Db, userId: string): Promise<Readonly<Record<string, Preferences>>> {
  const { users } = identityTables(db)
  const [row] = await db.select({ preferences: users.preferences }).from(users).where(eq(users.id, userId))
  return (row?.preferences ?? {}) as Record<string, Preferences>
}
