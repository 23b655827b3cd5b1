/**
 * Which images the builds of an organization may pull: its own, those that its parent shares, and those of the system.
 */
import { granted } from './grant.js'

/** @param readableOrgIds the organizations whose shared records the organization can read. */
export async function mayPull(orgId: string, readableOrgIds: readonly string[], name: string): Promise<boolean> {
  const homeParentOrgId = readableOrgIds.find((id) => id !== orgId && name.startsWith(`org-${id}/`)) ?? null
  const caller = {
    ...{ homeOrgId: orgId, homeParentOrgId },
    rights: async (asked: string) => ({ pull: asked === orgId, push: false }),
    isPluginName: async () => true,
  }
  return (await granted(caller, [`repository:${name}:pull`])).length > 0
}
