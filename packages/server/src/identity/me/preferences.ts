/** A person's own entries per organization: favorites, recent items, and views of the console. */
import { eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import type { Authority } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { noActiveOrg } from '../authority.js'
import { identityTables } from '../tables.js'

const Entries = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100, uniqueItems: true })

/**
 * A screen of the console with its filters. The path starts with a letter, so that it stays within the organization.
 */
const View = strictObject({
  name: name(1, 60),
  path: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '^[a-z]',
    'x-says': 'must begin with the name of a section, such as findings?state=open',
    examples: ['findings?state=open'],
  }),
})
const Views = Type.Array(View, { maxItems: 50 })

const fields = { favorites: Entries, recents: Entries }

export const Preferences = strictObject({ ...fields, views: Views })

/** A program that does not send views leaves them unchanged. */
export const PreferencesBody = strictObject({ ...fields, views: Type.Optional(Views) })

export type Preferences = Static<typeof Preferences>

const EMPTY: Preferences = { favorites: [], recents: [], views: [] }

export const paths = { path: '/auth/me/preferences', aliases: ['/me/preferences'] } as const

export function activeOrg(authority: Authority): string {
  const { org } = authority
  if (org === null) throw noActiveOrg(authority)
  return org.id
}

export async function readPreferences(db: Db, userId: string): Promise<Readonly<Record<string, Partial<Preferences>>>> {
  const { users } = identityTables(db)
  const [row] = await db.select({ preferences: users.preferences }).from(users).where(eq(users.id, userId))
  return (row?.preferences ?? {}) as Record<string, Partial<Preferences>>
}

export const filled = (kept: Partial<Preferences> | undefined): Preferences => ({ ...EMPTY, ...kept })
