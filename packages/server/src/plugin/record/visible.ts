/**
 * Which plugins an organization sees: all of its own, the public ones of its parent and of the system organization. Source:
 * platform decisions 3.11.
 */
import { and, asc, desc, eq, inArray, or, type SQL } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { isLive } from '../../runtime/records/tombstone.js'
import type { Db, TenantKey } from '../../runtime/store/db.js'
import { type PluginRow, pluginTables } from '../tables.js'

/** The tenant of the request, and the organizations that share with it, nearest first. */
export function tenantKey({ authority: { org } }: Pick<ReadContext, 'authority'>): TenantKey {
  if (org === null) throw new Error('the operation has no tenant')
  const shared = org.parentOrgId === null ? [SYSTEM_ORG_ID] : [org.parentOrgId, SYSTEM_ORG_ID]
  return { orgId: org.id, readableOrgIds: shared.filter((id) => id !== org.id) }
}

/** Live plugins of one of the organizations that the tenant sees. */
export function visibleIn(db: Db, key: TenantKey, orgId: string): SQL | undefined {
  const { plugins } = pluginTables(db)
  const own = and(eq(plugins.orgId, orgId), isLive(plugins))
  return orgId === key.orgId ? own : and(own, eq(plugins.accessModifier, 'public'))
}

export const isVisible = (db: Db, key: TenantKey): SQL | undefined =>
  or(...[key.orgId, ...key.readableOrgIds].map((orgId) => visibleIn(db, key, orgId)))

/** @throws Refusal 404, the same for a plugin of a stranger. */
export async function visiblePlugin(db: Db, key: TenantKey, id: string): Promise<PluginRow> {
  const { plugins } = pluginTables(db)
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.id, id), isVisible(db, key)))
  if (row === undefined) throw notFound('Plugin')
  return row
}

/** A live plugin of the organization itself. @throws Refusal 404. */
export async function ownPlugin(db: Db, orgId: string, id: string): Promise<PluginRow> {
  const [row] = await ownPlugins(db, orgId, [id])
  if (row === undefined) throw notFound('Plugin')
  return row
}

export async function ownPlugins(db: Db, orgId: string, ids: readonly string[]): Promise<PluginRow[]> {
  const { plugins } = pluginTables(db)
  return db
    .select()
    .from(plugins)
    .where(and(eq(plugins.orgId, orgId), inArray(plugins.id, [...ids]), isLive(plugins)))
}

/** The plugin of this name and exact version; null when there is none. */
export async function pluginOfVersion(db: Db, orgId: string, name: string, version: string): Promise<PluginRow | null> {
  const { plugins } = pluginTables(db)
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.orgId, orgId), eq(plugins.name, name), eq(plugins.version, version), isLive(plugins)))
  return row ?? null
}

/** What a reference without a version means: the default of the nearest organization, else its highest version. */
export async function nearestOfName(db: Db, key: TenantKey, name: string): Promise<PluginRow | null> {
  const { plugins } = pluginTables(db)
  for (const orgId of [key.orgId, ...key.readableOrgIds]) {
    const [row] = await db
      .select()
      .from(plugins)
      .where(and(visibleIn(db, key, orgId), eq(plugins.name, name)))
      .orderBy(desc(plugins.isDefault), desc(plugins.isActive), desc(plugins.versionKey), asc(plugins.id))
      .limit(1)
    if (row !== undefined) return row
  }
  return null
}
