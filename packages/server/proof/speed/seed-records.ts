/**
 * Fills one organization with pipelines and plugins for the benchmark of lists, past every check: `seed FOLDER ORG USER
 * ROWS`, while no server runs on the folder. Rows are written as the tables encode them, by the driver itself: the functions
 * that store one record would take an hour.
 *
 * Each filter has a value that half of the rows have, one that a thousandth has, or both, so that both ways of a list are
 * met: what is few is taken by id, what is many is found by the way.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { distinct, referencesIn } from '../../src/pipeline/props/references.js'
import { type PipelineRow, pipelineTables } from '../../src/pipeline/tables.js'
import { type PluginRow, pluginTables } from '../../src/plugin/tables.js'
import { versionKey } from '../../src/plugin/version.js'
import { besideOf } from '../../src/runtime/records/beside.js'
import { ALIVE } from '../../src/runtime/records/tombstone.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { scopeOf } from '../../src/runtime/store/search.js'

const [folder = '', orgId = '', userId = '', count = '0'] = process.argv.slice(2)
const ROWS = Number(count)
const SECOND_MS = 1000
const BEGIN_MS = Date.parse('2026-01-01T00:00:00Z')

const idOf = (kind: number, n: number): string => `${kind}0000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const at = <T>(values: readonly T[], n: number): T => values[n % values.length] as T
/** In no order that another field has. */
const scattered = (n: number): number => (n * 7919) % ROWS

const common = (n: number) => ({
  orgId,
  keywords: [`kw-${n % 1000}`, ...(n % 2 === 0 ? ['service'] : []), ...(n % 20 === 5 ? ['twentieth'] : [])],
  accessModifier: n % 10 === 0 ? 'public' : 'private',
  isActive: n % 50 !== 7,
  ...(n % 10 === 3
    ? { ownerId: null, ownerType: null }
    : { ownerId: n % 100 === 1 ? userId : idOf(7, n % 100), ownerType: 'user' }),
  lifecycle: at(['production', 'production', 'production', 'experimental', 'deprecated'], n),
  criticality: at(['low', 'medium', 'high', 'critical', null], n),
  labels: { tier: n % 2 === 0 ? 'gold' : 'silver', cell: `c${n % 1000}`, ...(n % 20 === 6 ? { ring: 'inner' } : {}) },
  links: [],
  revision: 1,
  createdAtMs: BEGIN_MS + n * SECOND_MS,
  createdBy: userId,
  updatedAtMs: BEGIN_MS + scattered(n) * SECOND_MS,
  updatedBy: userId,
  ...ALIVE,
})

const TEXT = 'builds, tests and releases one service of the shop; owned by the team that is called at night'

function pipelineOf(n: number): PipelineRow {
  const projects = Math.ceil(ROWS / 5)
  const [project, organization] = [`Project ${n % projects}`, `Team ${Math.floor(n / projects)}`]
  const pipelineName = `${at(['deploy', 'release', 'verify', 'nightly'], n)}-${n}`
  const step = (name: string) => ({
    plugin: { name, version: '1.0.0' },
    env: { LEVEL: 'info', REGION: 'eu-central-1' },
  })
  return {
    id: idOf(1, n),
    project,
    organization,
    projectKey: `project_${n % projects}`,
    organizationKey: `team_${Math.floor(n / projects)}`,
    pipelineName,
    nameKey: pipelineName,
    description: `${TEXT} ${n % 2 === 0 ? 'evenly' : 'oddly'}${n % 20 === 9 ? ', sometimes' : ''}${n % 1000 === 1 ? ', seldom' : ''}`,
    defaultKey: n < projects ? `project_${n}` : null,
    templateId: `template-${n % 1000}`,
    templateVersion: 1,
    complianceResult: 'passed',
    complianceCheckedAtMs: BEGIN_MS,
    ...common(n),
    props: {
      project,
      organization,
      synth: {
        source: { type: 'github', options: { repo: `acme/service-${n}`, branch: 'main', token: 'secret:TOKEN' } },
        plugin: { name: n % 2 === 0 ? 'node-build' : 'java-build', version: '1.0.0' },
      },
      stages: [
        { stageName: 'Build', steps: [step('unit-test'), step(`plugin-${n % 1000}`)] },
        { stageName: 'Release', steps: [step('sign'), step('publish')] },
      ],
    },
  }
}

function pluginOf(n: number): PluginRow {
  const names = Math.ceil(ROWS / 4)
  const version = `1.${Math.floor(n / names)}.0`
  return {
    id: idOf(2, n),
    name: `${at(['build', 'scan', 'deploy', 'notify'], n)}-${n % names}`,
    version,
    versionKey: versionKey(version),
    description: `${TEXT} ${n % 2 === 0 ? 'evenly' : 'oddly'}${n % 20 === 9 ? ', sometimes' : ''}${n % 1000 === 1 ? ', seldom' : ''}`,
    category: at(['build', 'test', 'security', 'deploy', 'notify'], n),
    metadata: {},
    pluginType: at(['CodeBuildStep', 'CodeBuildStep', 'ShellStep', 'ManualApprovalStep'], n),
    computeType: at(['SMALL', 'SMALL', 'MEDIUM', 'LARGE'], n),
    timeout: 30,
    failureBehavior: 'fail',
    secrets: [],
    primaryOutputDirectory: 'dist',
    env: { LEVEL: 'info' },
    installCommands: ['npm ci'],
    commands: ['npm run build', 'npm test'],
    buildArgs: {},
    dockerfile: null,
    baseImage: null,
    usesRootUser: false,
    buildType: at(['metadata_only', 'metadata_only', 'build_image', 'prebuilt'], n),
    contract: { requiredMetadata: [], requiredVars: [], metadataTypes: {}, varsTypes: {} },
    smokeTest: null,
    imageRef: null,
    imageDigest: null,
    imageSizeBytes: null,
    builtImage: null,
    attestations: null,
    buildStatus: at(['none', 'none', 'ready', 'queued'], n),
    isDefault: n >= 3 * names,
    isLatest: n >= 3 * names,
    wantsDefault: false,
    archiveKey: null,
    archiveBytes: 0,
    archiveSha256: null,
    ...common(n),
  }
}

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
  for (let n = 0; n < ROWS; n++) {
    putPipeline(pipelineOf(n))
    putPlugin(pluginOf(n))
  }
  bringBack()
})()
await store.close()
// On the disk before anything is measured: else the first checkpoint of the server waits for a gigabyte.
const file = openSync(join(folder, 'plumbline.db'), 'r')
fsyncSync(file)
closeSync(file)
