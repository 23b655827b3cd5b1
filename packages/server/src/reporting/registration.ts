/** What the reporting domain provides for exports, purges and erasures. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { exportOf, ownRowsAlong, type ReadSection } from '../runtime/records/export.js'
import type { Tx } from '../runtime/store/db.js'
import { resealSources } from './source/secret.js'
import { type ReportingTables, reportingTables } from './tables.js'

type Keys = readonly [SQLiteColumn, ...SQLiteColumn[]]

/** The key of each table, without the organization. */
const KEYS = {
  reportRetention: (t: ReportingTables['reportRetention']): Keys => [t.orgId],
  reportSources: (t: ReportingTables['reportSources']): Keys => [t.id],
  reportDeliveries: (t: ReportingTables['reportDeliveries']): Keys => [t.sourceId, t.id],
  reportBuilds: (t: ReportingTables['reportBuilds']): Keys => [t.jobId],
  reportOutcomes: (t: ReportingTables['reportOutcomes']): Keys => [
    t.pipelineId,
    t.executionId,
    t.environment,
    t.outcome,
  ],
  reportIncidents: (t: ReportingTables['reportIncidents']): Keys => [t.incidentId],
  reportLinks: (t: ReportingTables['reportLinks']): Keys => [t.incidentId],
  reportSettings: (t: ReportingTables['reportSettings']): Keys => [t.orgId],
  reportDailyRuns: (t: ReportingTables['reportDailyRuns']): Keys => [t.pipelineId, t.part, t.dayMs],
  reportDailyDeployments: (t: ReportingTables['reportDailyDeployments']): Keys => [
    t.pipelineId,
    t.dayMs,
    t.environment,
  ],
  reportDirty: (t: ReportingTables['reportDirty']): Keys => [t.dayMs, t.pipelineId],
  reportEvents: (t: ReportingTables['reportEvents']): Keys => [t.pipelineId, t.key],
  reportExecutions: (t: ReportingTables['reportExecutions']): Keys => [t.pipelineId, t.executionId],
  reportSteps: (t: ReportingTables['reportSteps']): Keys => [t.pipelineId, t.executionId, t.attempt, t.stage, t.action],
  reportSweptRuns: (t: ReportingTables['reportSweptRuns']): Keys => [t.pipelineId, t.executionId],
  reportDeployments: (t: ReportingTables['reportDeployments']): Keys => [
    t.pipelineId,
    t.executionId,
    t.attempt,
    t.environment,
  ],
  reportCommits: (t: ReportingTables['reportCommits']): Keys => [t.sha],
  reportParked: (t: ReportingTables['reportParked']): Keys => [t.pipelineRef, t.sourceId, t.key, t.hash],
  reportSkips: (t: ReportingTables['reportSkips']): Keys => [t.dayMs, t.reason],
  reportHealth: (t: ReportingTables['reportHealth']): Keys => [t.client, t.instance],
} as const
type TableName = keyof typeof KEYS & keyof ReportingTables
const TABLES = Object.keys(KEYS) as TableName[]

type AnyTable = SQLiteTable & { readonly orgId: SQLiteColumn }
const keyed = (tables: ReportingTables, name: TableName): { table: AnyTable; keys: Keys } => {
  const table = tables[name]
  return { table, keys: (KEYS[name] as (table: AnyTable) => Keys)(table) }
}

const section =
  (name: TableName): ReadSection =>
  async (db, orgId, after) => {
    const { table, keys } = keyed(reportingTables(db), name)
    const rows = await ownRowsAlong(db, table, keys, { orgId, after })
    return rows.map(({ key, row }) => ({ key, row: shown(row as Readonly<Record<string, unknown>>) }))
  }

/** The record as it is exported: instants as text, without internal columns. */
const INTERNAL = new Set(['orgId', 'hash', 'fold', 'steps', 'sealedSecret', 'sealedPrevious'])
const shown = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !INTERNAL.has(name))
      .map(([name, value]) =>
        name.endsWith('Ms') && name !== 'durationMs' && typeof value === 'number'
          ? [`${name.slice(0, -2)}At`, new Date(value).toISOString()]
          : [name, value],
      ),
  )

const sectionName = (name: TableName): string =>
  `reports.${name.slice('report'.length, 'report'.length + 1).toLowerCase()}${name.slice('report'.length + 1)}`

export const reportingRegistration: DomainRegistration = {
  name: 'reporting',
  ...exportOf(
    Object.fromEntries(TABLES.map((name) => [sectionName(name), section(name)])),
    Object.fromEntries(TABLES.map((name) => [sectionName(name), 'reports:read' as const])),
  ),
  async purge(tx, orgId, rowsMax) {
    const tables = reportingTables(tx)
    for (const name of TABLES) {
      const { table, keys } = keyed(tables, name)
      const gone = await removeSome(tx, table, [table.orgId, ...keys], eq(table.orgId, orgId), rowsMax)
      if (gone > 0) return gone
    }
    return 0
  },
  /** Marks and links stay, but no longer name the person who set them. */
  async erase(tx, userId) {
    const { reportOutcomes, reportLinks } = reportingTables(tx)
    await tx.update(reportOutcomes).set({ markedBy: null }).where(eq(reportOutcomes.markedBy, userId))
    await tx.update(reportLinks).set({ linkedBy: null }).where(eq(reportLinks.linkedBy, userId))
  },
  usage: {},
  async *blobs() {},
  reseal: resealSources,
}

/** Deletes at most `rowsMax` of these rows. @returns the number of deleted rows. */
export async function removeSome(
  tx: Tx,
  table: SQLiteTable,
  key: readonly SQLiteColumn[],
  where: SQL | undefined,
  rowsMax: number,
): Promise<number> {
  const columns = sql.join([...key], sql`, `)
  const some = sql`SELECT ${columns} FROM ${table} WHERE ${and(where)} LIMIT ${rowsMax}`
  const gone = await tx
    .delete(table)
    .where(sql`(${columns}) IN (${some})`)
    .returning({ key: key[0] as SQLiteColumn })
  return gone.length
}
