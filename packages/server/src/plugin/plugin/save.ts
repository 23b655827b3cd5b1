/** Writes a plugin with its index rows. Every change of a plugin row goes through here. */
import { and, desc, eq, inArray, like, ne, notLike, or, sql } from 'drizzle-orm'
import { besideOf } from '../../runtime/records/index-tables.js'
import { dropLabels, putLabels } from '../../runtime/records/labels.js'
import { isLive } from '../../runtime/records/soft-delete.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { dropSearchText, putSearchText } from '../../runtime/store/search.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { isRelease } from '../version.js'

export async function insertPlugin(tx: Tx, row: PluginRow): Promise<void> {
  if (row.isDefault) await clearDefault(tx, row)
  await tx.insert(pluginTables(tx).plugins).values(row)
  await putLatest(tx, row)
  await putBeside(tx, row)
}

export async function savePlugin(tx: Tx, row: PluginRow): Promise<void> {
  const { plugins } = pluginTables(tx)
  if (row.isDefault && row.deletedAtMs === null) await clearDefault(tx, row)
  await tx
    .update(plugins)
    .set(row)
    .where(and(eq(plugins.id, row.id), eq(plugins.orgId, row.orgId)))
  await putLatest(tx, row)
  await dropValues(tx, row.orgId, [row.id])
  if (row.deletedAtMs === null) await putBeside(tx, row)
  else await dropSearchText(tx, pluginTables(tx).pluginSearch, row.orgId, [row.id])
}

/** A name has one default: a row that becomes the default takes it from the previous one. */
async function clearDefault(tx: Tx, { orgId, name, id }: PluginRow): Promise<void> {
  const { plugins } = pluginTables(tx)
  await tx
    .update(plugins)
    .set({ isDefault: false })
    .where(and(eq(plugins.orgId, orgId), eq(plugins.name, name), ne(plugins.id, id), eq(plugins.isDefault, true)))
}

/** A change of a version may change which version of its name is the latest. */
async function putLatest(tx: Tx, { orgId, name }: PluginRow): Promise<void> {
  const { plugins: t } = pluginTables(tx)
  const isNamed = and(eq(t.orgId, orgId), eq(t.name, name))
  const [highest] = await tx
    .select({ versionKey: t.versionKey })
    .from(t)
    .where(and(isNamed, isLive(t), eq(t.isActive, true)))
    .orderBy(desc(t.versionKey))
    .limit(1)
  const isLatest = highest === undefined ? sql`true` : sql`${t.versionKey} >= ${highest.versionKey}`
  await tx
    .update(t)
    .set({ isLatest: sql`(${isLatest})` })
    .where(and(isNamed, sql`${t.isLatest} <> (${isLatest})`))
}

/** Writes the index rows of the record. The caller has removed its labels and keywords before. */
async function putBeside(tx: Tx, row: PluginRow): Promise<void> {
  const { pluginKeywords, pluginLabels, pluginSearch } = pluginTables(tx)
  const own = { entityId: row.id, ...besideOf(row) }
  await putLabels(tx, pluginLabels, row)
  const keywords = [...new Set(row.keywords.map((keyword) => keyword.toLowerCase()))]
  if (keywords.length > 0) await tx.insert(pluginKeywords).values(keywords.map((keyword) => ({ ...own, keyword })))
  const body = [row.description ?? '', row.category, ...row.keywords].join('\n')
  await putSearchText(tx, pluginSearch, { ...own, title: row.name, body })
}

export async function dropBeside(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  await dropValues(tx, orgId, ids)
  await dropSearchText(tx, pluginTables(tx).pluginSearch, orgId, ids)
}

async function dropValues(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const { pluginKeywords, pluginLabels } = pluginTables(tx)
  await dropLabels(tx, pluginLabels, orgId, ids)
  await tx
    .delete(pluginKeywords)
    .where(and(eq(pluginKeywords.orgId, orgId), inArray(pluginKeywords.entityId, [...ids])))
}

/**
 * Whether a ready version becomes the default by itself: it must be the highest release of its name. A pre-release
 * never does. Source: spec platform 10.1.
 */
export async function isHighestRelease(db: Db, { orgId, name, version, versionKey, id }: PluginRow): Promise<boolean> {
  if (!isRelease(version)) return false
  const { plugins } = pluginTables(db)
  const rows = await db
    .select({ version: plugins.version, versionKey: plugins.versionKey })
    .from(plugins)
    .where(
      and(
        eq(plugins.orgId, orgId),
        eq(plugins.name, name),
        ne(plugins.id, id),
        isLive(plugins),
        inArray(plugins.buildStatus, ['none', 'ready']),
        // A pre-release has a hyphen. A release has one in its build metadata alone, behind a plus.
        or(notLike(plugins.version, '%-%'), like(plugins.version, '%+%')),
      ),
    )
    .orderBy(desc(plugins.versionKey))
    .limit(200)
  const highest = rows.find((row) => isRelease(row.version))
  return highest === undefined || highest.versionKey <= versionKey
}
