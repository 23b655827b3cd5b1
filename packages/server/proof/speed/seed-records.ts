/**
 * Fills one organization with pipelines and plugins for the benchmark of lists, past every check: `seed FOLDER ORG USER
 * ROWS`, while no server runs on the folder. Rows are written as the tables encode them, by the driver itself: the functions
 * that store one record would take an hour.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { distinct, referencesIn } from '../../src/pipeline/props/references.js'
import { type PipelineRow, pipelineTables } from '../../src/pipeline/tables.js'
import { type PluginRow, pluginTables } from '../../src/plugin/tables.js'
import { besideOf } from '../../src/runtime/records/index-tables.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { scopeOf } from '../../src/runtime/store/search.js'
import { pipelineOf, pluginOf } from './records.js'

const [folder = '', orgId = '', userId = '', count = '0'] = process.argv.slice(2)
const seed = { orgId, userId, rows: Number(count) }

const store = await openSqliteStore(join(folder, 'plumbline.db'))
const { writer } = store

/** A statement that writes whole rows, and the order of their fields. */
function writerOf<T extends SQLiteTable>(table: T): (row: T['$inferInsert']) => void {
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => field !== 'position')
  const names = columns.map(([, { name }]) => name)
  const statement = writer.prepare(
    `INSERT INTO ${getTableName(table)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  )
  return (row) => {
    const values = row as Record<string, unknown>
    statement.run(
      columns.map(([field, column]) => (values[field] === null ? null : column.mapToDriverValue(values[field]))),
    )
  }
}

const { pipelines, pipelineKeywords, pipelineLabels, pipelinePlugins, pipelineSearch } = pipelineTables(store)
const { plugins, pluginKeywords, pluginLabels, pluginSearch } = pluginTables(store)
const put = {
  pipeline: writerOf(pipelines),
  pipelineKeyword: writerOf(pipelineKeywords),
  pipelineLabel: writerOf(pipelineLabels),
  pipelinePlugin: writerOf(pipelinePlugins),
  pipelineSearch: writerOf(pipelineSearch),
  plugin: writerOf(plugins),
  pluginKeyword: writerOf(pluginKeywords),
  pluginLabel: writerOf(pluginLabels),
  pluginSearch: writerOf(pluginSearch),
}
const scope = scopeOf(orgId)

function putPipeline(row: PipelineRow): void {
  const own = { pipelineId: row.id, ...besideOf(row) }
  put.pipeline(row)
  for (const keyword of row.keywords) put.pipelineKeyword({ ...own, keyword })
  // Each pipeline of the seed names a plugin once.
  for (const { name, version } of distinct(referencesIn(row.props, ''))) {
    put.pipelinePlugin({ ...own, name, version: version ?? '', isFirst: true })
  }
  putLabels(put.pipelineLabel, row)
  const body = [row.project, row.description, ...row.keywords].join('\n').toLowerCase()
  put.pipelineSearch({ entityId: row.id, ...besideOf(row), scope, title: row.nameKey, body })
}

function putPlugin(row: PluginRow): void {
  put.plugin(row)
  for (const keyword of row.keywords) put.pluginKeyword({ entityId: row.id, ...besideOf(row), keyword })
  putLabels(put.pluginLabel, row)
  const body = [row.description ?? '', row.category, ...row.keywords].join('\n').toLowerCase()
  put.pluginSearch({ entityId: row.id, ...besideOf(row), scope, title: row.name, body })
}

function putLabels(write: typeof put.pluginLabel, row: PipelineRow | PluginRow): void {
  for (const [key, value] of Object.entries(row.labels)) {
    write({ entityId: row.id, ...besideOf(row), key, value: String(value) })
  }
}

const TABLES = [
  pipelines,
  pipelineKeywords,
  pipelineLabels,
  pipelinePlugins,
  pipelineSearch,
  plugins,
  pluginKeywords,
  pluginLabels,
  pluginSearch,
].map((table) => getTableName(table))

/** Takes indexes and triggers away, and gives what brings them back: sorted at once they take a tenth of the time. */
function withoutIndexes(): () => void {
  const found = writer
    .prepare<[string], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
        AND tbl_name IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(TABLES))
  for (const { type, name } of found) writer.exec(`DROP ${type} ${name}`)
  return () => {
    for (const { sql } of found.filter(({ type }) => type === 'index')) writer.exec(sql)
    // The index of trigrams is over the table of texts: it is made of what stands there.
    for (const fts of [pipelineSearch, pluginSearch].map((table) => `${getTableName(table)}_fts`)) {
      writer.exec(`INSERT INTO ${fts} (${fts}) VALUES ('rebuild')`)
    }
    for (const { sql } of found.filter(({ type }) => type === 'trigger')) writer.exec(sql)
  }
}

// A copy that is lost with the machine is made again.
writer.pragma('synchronous = OFF')
writer.pragma('cache_size = -1048576')
writer.pragma('temp_store = MEMORY')
writer.transaction(() => {
  const bringBack = withoutIndexes()
  for (let n = 0; n < seed.rows; n++) {
    putPipeline(pipelineOf(seed, n))
    putPlugin(pluginOf(seed, n))
  }
  bringBack()
})()
await store.close()
// On the disk before anything is measured: else the first checkpoint of the server waits for a gigabyte.
const file = openSync(join(folder, 'plumbline.db'), 'r')
fsyncSync(file)
closeSync(file)
