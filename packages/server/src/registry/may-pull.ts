/** What the builds of an organization may pull: its own images, what its parent shows, what the system shows. */
import { granted } from './grant.js'

/** @param readableOrgIds the organizations whose shared records it reads. */
export async function mayPull(orgId: string, readableOrgIds: readonly string[], name: string): Promise<boolean> {
  const homeParentOrgId = readableOrgIds.find((id) => id !== orgId && name.startsWith(`org-${id}/`)) ?? null
  const caller = {
    ...{ homeOrgId: orgId, homeParentOrgId },
    rights: async (asked: string) => ({ pull: asked === orgId, push: false }),
    isPluginName: async () => true,
  }
  return (await granted(caller, [`repository:${name}:pull`])).length > 0
}
