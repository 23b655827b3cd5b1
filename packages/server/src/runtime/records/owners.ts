/** Who may own a record: people and teams, which the identity domain knows. Answers are at most 5 s old. */
import { port } from '../port.js'

export interface OwnerPort {
  /** An active member of the organization, or an administrator of its account. */
  isMember(orgId: string, userId: string): Promise<boolean>
  /** The organization itself, or one of its teams. */
  isTeamOf(orgId: string, teamId: string): Promise<boolean>
}

export const ownerPort = port<OwnerPort>('owners')
