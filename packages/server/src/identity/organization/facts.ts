/** What a record of an organization shows besides its row. */
import type { Runtime } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import { signOnPort } from '../../runtime/records/sign-on.js'
import type { Db } from '../../runtime/store/db.js'
import { memberCount } from '../account/member-counts.js'
import type { OrganizationRow } from '../account/row.js'
import { type OrganizationFacts, standingOf } from './record.js'

export async function factsOf(db: Db, runtime: Runtime, row: OrganizationRow): Promise<OrganizationFacts> {
  return {
    standing: await standingOf(db, row, runtime.settings),
    memberCount: await memberCount(db, row.id),
    ssoConfigured: (await withSignOn(db, runtime, [row.id])).has(row.id),
  }
}

/** Those of the organizations that have an identity provider; none in a process without single sign-on. */
export async function withSignOn(db: Db, runtime: Runtime, orgIds: readonly string[]): Promise<ReadonlySet<string>> {
  return (await findPort(runtime, signOnPort)?.configuredAmong(db, orgIds)) ?? new Set()
}
