import { eq } from 'drizzle-orm'
import { signedIn } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { actingUser } from '../actor.js'
import { identityTables } from '../tables.js'
import { activeOrg, filled, Preferences, PreferencesBody, paths, readPreferences } from './preferences.js'

export const setPreferences = command({
  name: 'identity.me.set-preferences',
  summary: 'Set your preferences in the active organization',
  http: { method: 'put', ...paths },
  access: signedIn(),
  tenant: noTenant,
  audit: none("a person's own preferences concern nobody else"),
  input: { body: PreferencesBody },
  output: Preferences,
  errors: ['SSO_REQUIRED'],
  async run(context, { body }) {
    const { tx, authority } = context
    const userId = actingUser(context)
    const { users } = identityTables(tx)
    // One column holds the preferences for all organizations, so concurrent writes for two organizations must not
    // overlap.
    await lockRow(tx, 'users', userId)
    const kept = await readPreferences(tx, userId)
    const orgId = activeOrg(authority)
    const next = { ...filled(kept[orgId]), ...body }
    const preferences = { ...kept, [orgId]: next }
    await tx.update(users).set({ preferences }).where(eq(users.id, userId))
    return unchanged(next)
  },
})
