/**
 * What this domain does when an organization is deleted or a person is erased. Evidence outlives the organization: it
 * is exported with it and only retention deletes it, so a purge deletes nothing here. Source: spec platform 14; spec
 * platform 27.
 */
import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { DomainRegistration, ReadPage } from '../runtime/operation/registration.js'
import type { Db } from '../runtime/store/db.js'
import type { EventRow } from './chain/read-record.js'
import { AUDIT_CHANGES } from './changes.js'
import { concerns } from './elsewhere.js'
import { eventView } from './event/view.js'
import { eraseUser } from './retention/erase.js'
import { auditTables } from './tables.js'

const PAGE = 1000

export const auditRegistration: DomainRegistration = {
  name: 'audit',
  changes: [AUDIT_CHANGES],
  exportSections: ['audit'],
  exportReads: { audit: 'audit:read' },
  async *exportRows(read, orgId, sections) {
    if (!sections.has('audit')) return
    for await (const row of eventsOf(read, orgId)) yield { section: 'audit', row: eventView(row, orgId) }
  },
  purge: async () => 0,
  async erase(tx, userId, runtime) {
    await eraseUser(tx, runtime, { userId, details: false })
  },
  usage: {},
  async *blobs() {},
}

/** The organization's events, the newest first, in pages. */
async function* eventsOf(read: ReadPage, orgId: string): AsyncGenerator<EventRow> {
  let last: EventRow | undefined
  do {
    const after: EventRow | undefined = last
    const page: EventRow[] = await read((db) => pageOf(db, orgId, after))
    yield* page
    last = page.length === PAGE ? page.at(-1) : undefined
  } while (last !== undefined)
}

function pageOf(db: Db, orgId: string, last: EventRow | undefined): Promise<EventRow[]> {
  const { auditEvents: t } = auditTables(db)
  const behind =
    last === undefined
      ? undefined
      : or(lt(t.createdAt, last.createdAt), and(eq(t.createdAt, last.createdAt), lt(t.id, last.id)))
  // guard: the-events-in-an-organizations-own-export
  return db
    .select()
    .from(t)
    .where(and(concerns(t, orgId), behind))
    .orderBy(desc(t.createdAt), desc(t.id))
    .limit(PAGE)
}
