/**
 * Search in messages: finds threads in which the subject, the content or the content of a reply contains a text. The
 * text of each live message is stored in a row of an index table, written in the same transaction. The row is indexed
 * under both sides of the thread and not only under the writer's, so that either side can use the index. Source: spec
 * platform 25.4; ADR 63, 64.
 *
 * INVARIANT: a search only narrows a list; the list itself decides who may see what is found (`visibility.ts`).
 */
import { desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../../runtime/store/db.js'
import { FEW_MAX, type Narrowing, narrowTo } from '../../runtime/store/index-table-filters.js'
import {
  escapeLike,
  fold,
  ftsOf,
  isPart,
  procedureOf,
  quoted,
  SHORT_SCAN_MAX,
  scopeOf,
  TRIGRAM,
} from '../../runtime/store/search.js'
import { type MessageRow, messageTables } from '../tables.js'
import { EVERYBODY } from '../visibility.js'

const NAME = 'message_search'

/** Stores the search text of a live message. A reply has only its content: its subject is that of the thread. */
export async function putMessageText(tx: Tx, row: MessageRow): Promise<void> {
  const { messageSearch: t } = messageTables(tx)
  const text = { title: row.isRoot ? fold(row.subject) : '', body: fold(row.content) }
  const { threadOrgId, threadRecipientOrgId } = row
  await tx
    .insert(t)
    .values({
      orgId: row.orgId,
      recipientOrgId: row.recipientOrgId,
      threadOrgId,
      threadRecipientOrgId,
      entityId: row.id,
      rootId: row.rootId,
      // A space between them, so that no trigram spans both sides.
      scope: `${scopeOf(threadOrgId)} ${scopeOf(threadRecipientOrgId)}`,
      ...text,
    })
    .onConflictDoUpdate({ target: t.entityId, set: text })
}

/** Removes the search text, so that deleted messages are not found. */
export async function dropMessageTexts(tx: Tx, ids: readonly string[]): Promise<void> {
  const { messageSearch: t } = messageTables(tx)
  await tx.delete(t).where(inArray(t.entityId, [...ids]))
}

export interface MessagesFor {
  /** The organization whose threads are searched. */
  readonly orgId: string
  /** Searches the threads of all organizations, for the system organization. */
  readonly isEverything: boolean
  readonly text: string
}

/** The threads that contain a text, as a condition on the id of their root. */
export function matchMessages(db: Db, id: SQLiteColumn, wanted: MessagesFor): Promise<Narrowing> {
  const { messageSearch: t } = messageTables(db)
  const text = fold(wanted.text)
  const holds = or(isPart(db, t.title, text), isPart(db, t.body, text))
  return narrowTo(
    db,
    id,
    sql`SELECT root_id AS entity_id FROM (${findRoots(db, wanted, FEW_MAX + 1)}) AS roots`,
    sql`EXISTS (SELECT 1 FROM ${t} WHERE ${t.rootId} = ${id} AND ${holds})`,
  )
}

/** At most this many threads, unordered. Exported for the test of its query plan. */
export function findRoots(db: Db, { orgId, isEverything, text: asked }: MessagesFor, atMost: number): SQL {
  const text = fold(asked)
  if ([...text].length < TRIGRAM) return shortly(db, { orgId, isEverything, text }, atMost)
  if (db.database === 'pg') {
    return sql`SELECT root_id FROM ${sql.identifier(procedureOf(NAME))}(${orgId}, ${`%${escapeLike(text)}%`}, ${isEverything}, ${atMost}) AS root_id`
  }
  const { messageSearch: t } = messageTables(db)
  const sides = [orgId, EVERYBODY].map((side) => `scope : ${quoted(scopeOf(side))}`).join(' OR ')
  const words = `{title body} : ${quoted(text)}`
  const match = isEverything ? words : `(${sides}) AND ${words}`
  const fts = sql.identifier(ftsOf(NAME))
  const own = isEverything
    ? sql`1`
    : sql`(t.thread_org_id = ${orgId} OR t.thread_recipient_org_id IN (${orgId}, ${EVERYBODY}))`
  return sql`SELECT DISTINCT t.root_id AS root_id FROM ${fts} CROSS JOIN ${t} AS t ON t.position = ${fts}.rowid
    WHERE ${fts} MATCH ${match} AND ${own} LIMIT ${atMost}`
}

/** A text of one or two characters has no trigram, so only the newest messages of each side are compared. */
function shortly(db: Db, { orgId, isEverything, text }: MessagesFor, atMost: number): SQL {
  const { messageSearch: t } = messageTables(db)
  const newest = (where: SQL | undefined) =>
    sql`SELECT * FROM (${db
      .select({ root_id: t.rootId, title: t.title, body: t.body })
      .from(t)
      .where(where)
      .orderBy(desc(t.position))
      .limit(SHORT_SCAN_MAX)}) AS newest`
  const looks = isEverything
    ? [newest(undefined)]
    : [eq(t.threadOrgId, orgId), eq(t.threadRecipientOrgId, orgId), eq(t.threadRecipientOrgId, EVERYBODY)].map(newest)
  const holds = or(isPart(db, sql.identifier('title'), text), isPart(db, sql.identifier('body'), text))
  return sql`SELECT DISTINCT root_id FROM (${sql.join(looks, sql` UNION ALL `)}) AS looked WHERE ${holds} LIMIT ${atMost}`
}
