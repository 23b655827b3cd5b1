import { signedIn } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { actingUser } from '../actor.js'
import { activeOrg, filled, Preferences, paths, readPreferences } from './preferences.js'

export const getPreferences = query({
  name: 'identity.me.get-preferences',
  summary: 'Get your preferences in the active organization',
  http: { method: 'get', ...paths },
  access: signedIn(),
  tenant: noTenant,
  input: {},
  output: Preferences,
  errors: ['SSO_REQUIRED'],
  async run(context) {
    const kept = await readPreferences(context.db, actingUser(context))
    return filled(kept[activeOrg(context.authority)])
  },
})
