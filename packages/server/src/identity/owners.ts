/** Answers what the inventory domains ask about the owners of their records. */
import type { OwnerPort } from '../runtime/records/owners.js'
import type { Directory } from './directory.js'

export const ownersIn = (directory: Directory): OwnerPort => ({
  isMember: async (orgId, userId) => (await directory.standing(userId, orgId))?.isMember === true,
  async isTeamOf(orgId, teamId) {
    if (teamId === orgId) return true
    return (await directory.organization(teamId))?.parentOrgId === orgId
  },
})
