/** A caller of the token service, with their current rights. */
import type { BasicCaller } from '../identity/index.js'
import type { Authority, PrepareContext } from '../runtime/operation/context.js'
import { findPort } from '../runtime/port.js'
import { pluginNamesPort } from '../runtime/records/plugin-names.js'
import type { RegistryCaller } from './grant.js'

export async function callerOf(context: PrepareContext, caller: BasicCaller): Promise<RegistryCaller> {
  const home = await caller.authorityIn(caller.orgId)
  const names = findPort(context.runtime, pluginNamesPort)
  return {
    homeOrgId: caller.orgId,
    homeParentOrgId: home?.org?.parentOrgId ?? null,
    rights: async (orgId) => rightsOf(orgId === caller.orgId ? home : await caller.authorityIn(orgId)),
    // Without the plugin domain, the free names are unknown, so every name counts as taken.
    isPluginName: async (orgId, name) => names === undefined || context.read((db) => names.isTaken(db, orgId, name)),
  }
}

const rightsOf = (authority: Authority | null) => ({
  pull: authority !== null && (authority.permissions.has('plugins:read') || authority.scopes.has('images:pull')),
  push: authority !== null && (authority.permissions.has('plugins:write') || authority.scopes.has('images:push')),
})
