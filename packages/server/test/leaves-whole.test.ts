/**
 * An organization leaves whole: the purges of the domains leave no row of it in any table, and its export reads each
 * table. An erased person is in no column. Where it is otherwise, the reason is stated here. A new table is covered
 * without a new test.
 */
import { type Column, getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it, vi } from 'vitest'
import { DOMAINS } from '../src/domains.js'
import { heldClock } from '../src/runtime/clock.js'
import { createIds } from '../src/runtime/ids.js'
import type { DomainRegistration } from '../src/runtime/operation/registration.js'
import type { Tx } from '../src/runtime/store/db.js'
import { sqliteDriver } from '../src/runtime/store/sqlite-driver.js'
import type { Tenancy } from '../src/runtime/store/table-set.js'
import { TABLE_SETS } from '../src/schema.js'
import { sqliteStore } from './support/stores.js'

const ORG = '00000000-0000-7000-8000-00000000aaaa'
const NOW_MS = Date.UTC(2026, 0, 1)

/** Tables whose rows stay when their organization is purged. */
const EVIDENCE = 'evidence outlives its organization; retention deletes it'
const STAYS: Readonly<Record<string, string>> = {
  idempotency_keys: 'a sweep deletes them after a day',
  jobs: 'a worker runs them, and a sweep deletes them',
  audit_outbox: EVIDENCE,
  organizations: 'the job of the purge deletes it, after every domain',
  audit_events: EVIDENCE,
  audit_heads: EVIDENCE,
  audit_checkpoints: EVIDENCE,
  audit_anchors: EVIDENCE,
}

interface Table {
  readonly name: string
  readonly table: SQLiteTable
  readonly column: string
}

const tables: readonly Table[] = TABLE_SETS.flatMap((set) =>
  Object.entries(set.tenancy as Record<string, Tenancy>).flatMap(([key, tenancy]) =>
    tenancy.kind === 'tenant'
      ? [
          {
            name: getTableName(set.sqlite[key] as never),
            table: set.sqlite[key] as SQLiteTable,
            column: tenancy.column,
          },
        ]
      : [],
  ),
)

/** Every table, those of no organization included. */
const everyTable: readonly Table[] = TABLE_SETS.flatMap((set) =>
  Object.entries(set.tenancy as Record<string, Tenancy>).map(([key, tenancy]) => ({
    name: getTableName(set.sqlite[key] as never),
    table: set.sqlite[key] as SQLiteTable,
    column: tenancy.kind === 'tenant' ? tenancy.column : 'none',
  })),
)

const columnsOf = ({ table }: Table): [key: string, column: Column][] => Object.entries(getTableColumns(table))

/** A row of the organization with the columns that a row must have. */
const rowOf = ({ table, column }: Table): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).flatMap(([key, each]) =>
      each.name === column || (each.notNull && !each.hasDefault) ? [[key, cellOf(each, column)]] : [],
    ),
  )

/** One text for every column, so that rows of parts name the row that they belong to. */
function cellOf({ name, dataType }: Column, orgColumn: string): unknown {
  if (name === orgColumn) return ORG
  if (dataType === 'boolean') return false
  if (dataType === 'number') return 1
  return dataType === 'json' ? [] : 'the one'
}

const rowsOf = async (tx: Tx, { table, column }: Table): Promise<number> =>
  (
    await tx
      .select({ one: sql`1` })
      .from(table)
      .where(sql`${sql.identifier(column)} = ${ORG}`)
  ).length

it('a purge deletes its row of every table', async () => {
  const store = await sqliteStore()
  try {
    await store.system.write(async (tx) => {
      for (const each of tables) await tx.insert(each.table).values(rowOf(each))
    })
    for (const { registration } of DOMAINS) {
      for (let gone = 1; gone > 0; ) {
        gone = await store.system.write((tx) => registration.purge(tx, ORG, 500, NOW_MS, async () => undefined))
      }
    }
    const left = await store.system.write(async (tx) => {
      const found: string[] = []
      for (const each of tables) if ((await rowsOf(tx, each)) > 0) found.push(each.name)
      return found
    })
    expect(
      left.filter((name) => !Object.hasOwn(STAYS, name)),
      'delete them in `purge` of registration.ts',
    ).toEqual([])
    expect(
      Object.keys(STAYS).filter((name) => !left.includes(name)),
      'is purged: take it out of STAYS',
    ).toEqual([])
  } finally {
    await store.close()
  }
})

const ACCOUNT = 'deleted with the account'
const PSEUDONYM = 'the random id of a deleted account names nobody (ADR 248)'
/** Columns in which the id of an erased person stays. */
const KEEPS_ID: Readonly<Record<string, string>> = {
  'sessions.user_id': ACCOUNT,
  'personal_access_tokens.user_id': ACCOUNT,
  'one_time_tokens.user_id': ACCOUNT,
  'known_networks.user_id': ACCOUNT,
  'totp_factors.user_id': ACCOUNT,
  'recovery_codes.user_id': ACCOUNT,
  'social_links.user_id': ACCOUNT,
  'organizations.owner_id': 'taken out with the account',
  'messages.recipient_user_id': 'without it every member could read the conversation',
  'messages.thread_recipient_user_id': 'without it every member could read the conversation',
  'compliance_scans.triggered_by': 'names a kind of trigger',
  'audit_events.actor_id': EVIDENCE,
  'audit_events.impersonator_id': EVIDENCE,
  'organizations.deleted_by': PSEUDONYM,
  'invitations.invited_by': PSEUDONYM,
  'invitations.accepted_by': PSEUDONYM,
  'service_principals.created_by': PSEUDONYM,
  'org_secrets.updated_by': PSEUDONYM,
  'messages.created_by': PSEUDONYM,
  'messages.deleted_by': PSEUDONYM,
  'pipelines.created_by': PSEUDONYM,
  'pipelines.updated_by': PSEUDONYM,
  'pipelines.deleted_by': PSEUDONYM,
  'pipeline_revisions.changed_by': PSEUDONYM,
  'pipeline_templates.created_by': PSEUDONYM,
  'pipeline_templates.updated_by': PSEUDONYM,
  'pipeline_templates.deleted_by': PSEUDONYM,
  'plugins.created_by': PSEUDONYM,
  'plugins.updated_by': PSEUDONYM,
  'plugins.deleted_by': PSEUDONYM,
  'build_jobs.created_by': PSEUDONYM,
  'registry_images.pushed_by': PSEUDONYM,
}
const PERSON = 'the-person'
const isPerson = ({ name, dataType }: Column) =>
  dataType === 'string' && /_by$|^(user|actor|impersonator|owner|recipient_user|thread_recipient_user)_id$/.test(name)

it('an erased person is in no column, or the reason is stated', async () => {
  const store = await sqliteStore()
  const people = everyTable.flatMap((each) => {
    const keys = columnsOf(each).filter(([, column]) => isPerson(column))
    return keys.length === 0 ? [] : [{ each, keys }]
  })
  try {
    await store.system.write(async (tx) => {
      for (const { each, keys } of people) {
        const named = Object.fromEntries(keys.map(([key]) => [key, PERSON]))
        const owner = 'ownerType' in each.table ? { ownerType: 'user' } : {}
        await tx.insert(each.table).values({ ...rowOf(each), ...named, ...owner })
      }
    })
    const tools = { clock: heldClock(NOW_MS), ids: createIds(heldClock(NOW_MS)), store, recheck: async () => undefined }
    for (const { registration } of DOMAINS) await store.system.write((tx) => registration.erase(tx, PERSON, tools))
    const left = await store.system.write(async (tx) => {
      const found: string[] = []
      for (const { each, keys } of people) {
        for (const [, { name }] of keys) {
          const where = sql`${sql.identifier(name)} = ${PERSON}`
          const rows = await tx.select({ one: sql`1` }).from(each.table).where(where)
          if (rows.length > 0) found.push(`${each.name}.${name}`)
        }
      }
      return found
    })
    expect(people.length).toBeGreaterThan(40)
    expect(
      left.filter((name) => !Object.hasOwn(KEEPS_ID, name)),
      'take the id out in `erase` of registration.ts',
    ).toEqual([])
    expect(
      Object.keys(KEEPS_ID).filter((name) => !left.includes(name)),
      'is erased: take it out of KEEPS_ID',
    ).toEqual([])
  } finally {
    await store.close()
  }
})

const BRIEF = 'work in progress, and gone within days'
const COMPUTED = 'computed from rows that an export has'
const CHAIN = 'of all organizations together: an export of the audit trail has it'
/** Tables of an organization whose rows no export has. */
const NOT_EXPORTED: Readonly<Record<string, string>> = {
  idempotency_keys: BRIEF,
  jobs: BRIEF,
  audit_outbox: BRIEF,
  build_turns: BRIEF,
  message_events: BRIEF,
  quota_increments: BRIEF,
  notification_deliveries: BRIEF,
  billing_provider_calls: BRIEF,
  billing_credit_holds: BRIEF,
  quota_pools: COMPUTED,
  quota_notices: COMPUTED,
  compliance_rule_set_stamps: COMPUTED,
  compliance_past_starts: COMPUTED,
  compliance_entity_states: COMPUTED,
  message_search: COMPUTED,
  pipeline_plugins: COMPUTED,
  pipeline_keywords: COMPUTED,
  pipeline_labels: COMPUTED,
  pipeline_search: COMPUTED,
  pipeline_template_keywords: COMPUTED,
  pipeline_template_labels: COMPUTED,
  pipeline_template_search: COMPUTED,
  plugin_keywords: COMPUTED,
  plugin_labels: COMPUTED,
  plugin_search: COMPUTED,
  billing_alert_firings: COMPUTED,
  billing_period_rolls: COMPUTED,
  billing_entitlement_drift: COMPUTED,
  personal_access_tokens: 'of a person, and a secret',
  message_reads: 'of a person: which messages somebody has opened',
  audit_heads: CHAIN,
  audit_checkpoints: CHAIN,
  audit_anchors: CHAIN,
  build_jobs: 'a plugin says how its last build ended, and the audit trail who began it',
  build_logs: 'kept for days only, and read by their own command',
  registry_repositories: 'the names are in the section images',
  registry_images: 'each image with a tag is in the section images',
  registry_blobs: 'the layers of those images',
  billing_accounts: 'which organization pays: the account of the export',
  billing_clocks: 'the clock of a test account',
  billing_redemptions: 'the credit of each is in the section billing.credits',
  billing_referrals: 'names another organization; the credit is in the section billing.credits',
  billing_provider_customers: 'the id of the organization at a provider',
  billing_provider_links: 'the id of a purchase at a provider',
}

it('an export reads every table, or the reason is stated', async () => {
  const store = await sqliteStore()
  const prepare = vi.spyOn(sqliteDriver().Database.prototype, 'prepare')
  const readThrough = async ({ exportRows }: DomainRegistration, section: string): Promise<void> => {
    try {
      for await (const _ of exportRows((run) => store.system.read(run), ORG, new Set([section])));
    } catch (error) {
      // What was read counts; not every view takes a row whose texts are all the same.
      expect(error).toBeInstanceOf(Error)
    }
  }
  try {
    await store.system.write(async (tx) => {
      for (const each of tables) await tx.insert(each.table).values(rowOf(each))
    })
    prepare.mockClear()
    for (const { registration } of DOMAINS) {
      for (const section of registration.exportSections) await readThrough(registration, section)
    }
    const statements = prepare.mock.calls.map(([text]) => text).join('\n')
    const read = new Set([...statements.matchAll(/(?:from|join) "(\w+)"/gi)].map(([, name]) => name))
    const left = tables.map(({ name }) => name).filter((name) => !read.has(name))
    expect(
      left.filter((name) => !Object.hasOwn(NOT_EXPORTED, name)),
      'yield them in `exportRows` of registration.ts',
    ).toEqual([])
    expect(
      Object.keys(NOT_EXPORTED).filter((name) => !left.includes(name)),
      'is exported: take it out of NOT_EXPORTED',
    ).toEqual([])
  } finally {
    prepare.mockRestore()
    await store.close()
  }
})
