/** The organizations of an account that a request covers: its own and, if it is a root, its teams. */
import { eq } from 'drizzle-orm'
import { liveTeamIds } from '../identity/index.js'
import { identityTables } from '../identity/tables.js'
import type { OrgSummary, ReadContext } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'

const TEAMS_AT_ONCE = 500

export async function withTeams(
  db: Db,
  { id, parentOrgId }: Pick<OrgSummary, 'id' | 'parentOrgId'>,
): Promise<string[]> {
  const ids = [id]
  if (parentOrgId !== null) return ids
  for (let after: string | undefined = ''; after !== undefined; ) {
    const teams = await liveTeamIds(db, id, after, TEAMS_AT_ONCE)
    ids.push(...teams)
    after = teams.length < TEAMS_AT_ONCE ? undefined : teams.at(-1)
  }
  return ids
}

/**
 * The same request, acting in this team of its organization: with the rules and settings that the team itself has.
 * Only for a request that may read its teams.
 */
export function asIn<C extends Pick<ReadContext, 'authority'>>(context: C, orgId: string): C {
  const { authority } = context
  const { org } = authority
  // guard: a-card-is-by-the-rules-of-its-team
  if (org === null || org.id === orgId) return context
  return { ...context, authority: { ...authority, org: { ...org, id: orgId, parentOrgId: org.id } } }
}

/** The organization, and its root if it is a team. */
export async function accountOf(db: Db, orgId: string): Promise<ReadonlySet<string>> {
  const { organizations: o } = identityTables(db)
  const [own] = await db.select({ rootOrgId: o.rootOrgId }).from(o).where(eq(o.id, orgId))
  return new Set([orgId, own?.rootOrgId ?? orgId])
}
