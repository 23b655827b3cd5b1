/**
 * What this domain does when an organization or a person goes. Evidence outlives the organization: it is exported with it
 * and leaves by retention alone, so purging deletes nothing. Source: platform decisions 14; rulings, Domains.
 */
import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { DomainRegistration } from '../runtime/domain.js'
import type { Runtime } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import type { EventRow } from './chain/read-record.js'
import { eventView } from './event/view.js'
import { eraseUser } from './retention/erase.js'
import { auditTables } from './tables.js'

const PAGE = 1000

export const auditRegistration = (runtime: () => Runtime): DomainRegistration => ({
  name: 'audit',
  exportSections: ['audit'],
  async *exportRows(db, orgId, sections) {
    if (!sections.has('audit')) return
    for await (const row of eventsOf(db, orgId)) yield { section: 'audit', row: eventView(row, orgId) }
  },
  purge: async () => 0,
  async erase(tx, userId) {
    await eraseUser(tx, runtime(), { userId, details: false })
  },
  usage: async () => ({}),
  async *blobs() {},
})

/** The organization's events, the newest first, in pages. */
async function* eventsOf(db: Db, orgId: string): AsyncGenerator<EventRow> {
  const { auditEvents: t } = auditTables(db)
  const own = or(eq(t.affectedOrgId, orgId), eq(t.orgId, orgId))
  let last: EventRow | undefined
  do {
    const behind: ReturnType<typeof and> =
      last === undefined
        ? undefined
        : or(lt(t.createdAt, last.createdAt), and(eq(t.createdAt, last.createdAt), lt(t.id, last.id)))
    const page: EventRow[] = await db
      .select()
      .from(t)
      .where(and(own, behind))
      .orderBy(desc(t.createdAt), desc(t.id))
      .limit(PAGE)
    yield* page
    last = page.length === PAGE ? page.at(-1) : undefined
  } while (last !== undefined)
}
