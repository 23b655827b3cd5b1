/**
 * Reads the settings from several sources and reports all mistakes together. A value that is set must be valid: nothing
 * falls back to a default silently. Messages never contain the value of a secret.
 */

import { type Catalogue, loadCatalogue, scalarSettings } from '@plumbline/billing-core'
import { nearestWord } from '@plumbline/engine/words'
import { SettingMistake } from '../setting/types.js'
import { CATALOGUE, ENTRIES, type SettingName, type SettingValues } from './catalogue.js'
import { productionMistakes } from './production.js'
import { lookUp, type SettingMessage, type SettingSource } from './sources.js'

export interface Settings extends SettingValues {
  /** Tiers, plans and bundles with the overrides of this deployment. */
  readonly tiers: Catalogue
}

export type LoadedSettings =
  | {
      readonly ok: true
      readonly settings: Settings
      /** Where each value that is not a default was set. */
      readonly origins: ReadonlyMap<SettingName, string>
      readonly warnings: readonly SettingMessage[]
    }
  | { readonly ok: false; readonly issues: readonly SettingMessage[]; readonly warnings: readonly SettingMessage[] }

/** Prefixes that belong to this server, so an unknown name with one of them is a typing error. */
const OWN_PREFIXES = [
  'PLUMBLINE_',
  'LIMITER_',
  'AUTH_LIMITER_',
  'JWT_',
  'SMTP_',
  'AUDIT_',
  'COMPLIANCE_',
  'JOB_',
  'METRICS_',
  'ADMIN_',
  'AI_',
  'QUOTA_',
  'BLOB_',
  'MESSAGE_',
  'SCAN_',
  'DIGEST_',
]
/** The tables of tiers check names with this prefix and report unknown ones. */
const TIER_PREFIX = 'QUOTA_TIER_'

/** Names that other programs of this project, or the tests, read. */
const FOREIGN = [
  'PLUMBLINE_CONFIG',
  'PLUMBLINE_URL',
  'PLUMBLINE_TOKEN',
  'PLUMBLINE_ORG',
  'PLUMBLINE_CREDENTIALS',
  'PLUMBLINE_DEBUG',
  'PLUMBLINE_BACKUP_PASSPHRASE',
]
const FOREIGN_PREFIXES = ['PLUMBLINE_TEST_', 'PLUMBLINE_REQUIRE_']

export function loadSettings(sources: readonly SettingSource[]): LoadedSettings {
  const issues: SettingMessage[] = []
  const origins = new Map<SettingName, string>()
  const values: Record<string, unknown> = {}
  for (const [name, setting] of ENTRIES) {
    const found = lookUp(sources, name)
    values[name] = setting.default
    if (found === undefined) continue
    origins.set(name, found.origin)
    try {
      values[name] = setting.type.parse(found.text)
    } catch (error) {
      if (!(error instanceof SettingMistake)) throw error
      issues.push({ name, message: `${name} ${error.message} (from ${found.origin})` })
    }
  }
  takeServicePort(values, origins)
  const tiers = loadCatalogue(merged(sources, ['QUOTA_TIER_', 'BILLING_PLAN_', 'BILLING_BUNDLE_', 'BILLING_COMBO_']))
  if (!tiers.ok) issues.push(...tiers.issues.map(({ field, message }) => ({ name: field, message })))
  issues.push(...unknownMoney(sources))
  const warnings = [
    ...tiers.warnings.map(({ field, message }) => ({ name: field, message })),
    ...unknownNames(sources),
    ...modulesThatWait(values as unknown as SettingValues),
  ]
  // A check over several settings requires that each of them is valid.
  const wrong = new Set(issues.map(({ name }) => name))
  const together = mistakesTogether(values as unknown as SettingValues)
  issues.push(...together.filter(({ message }) => !message.split(/\W+/).some((word) => wrong.has(word))))
  issues.push(...productionMistakes(values as unknown as SettingValues, sources, issues))
  if (issues.length > 0 || !tiers.ok) return { ok: false, issues, warnings }
  return { ok: true, settings: { ...(values as unknown as SettingValues), tiers: tiers.value }, origins, warnings }
}

/**
 * Other processes may use the same file of settings as the process that checks; the port applies only to that process.
 */
function takeServicePort(values: Record<string, unknown>, origins: Map<SettingName, string>): void {
  const { COMPLIANCE_SERVICE_PORT: port, PLUMBLINE_MODULES: modules } = values as Partial<SettingValues>
  const origin = origins.get('COMPLIANCE_SERVICE_PORT')
  if (typeof port !== 'number' || origin === undefined || origins.has('PORT')) return
  if (Array.isArray(modules) && modules.length > 0 && !(modules as readonly string[]).includes('compliance')) return
  values['PORT'] = port
  origins.set('PORT', origin)
}

/**
 * Compliance sends announcements to the module `notification`. A list of modules that is older than that module does
 * not name it.
 */
function modulesThatWait({ PLUMBLINE_MODULES: modules }: SettingValues): SettingMessage[] {
  if (!modules.includes('compliance') || modules.includes('notification')) return []
  const message =
    'PLUMBLINE_MODULES mounts compliance without notification: notifications are sent by another process that mounts it'
  return [{ name: 'PLUMBLINE_MODULES', message }]
}

function merged(sources: readonly SettingSource[], prefixes: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { values } of sources) {
    for (const [name, text] of Object.entries(values)) {
      if (text === undefined || text === '' || Object.hasOwn(found, name) || Object.hasOwn(CATALOGUE, name)) continue
      if (prefixes.some((prefix) => name.startsWith(prefix))) found[name] = text
    }
  }
  return found
}

function unknownNames(sources: readonly SettingSource[]): SettingMessage[] {
  const known = Object.keys(CATALOGUE)
  const names = new Set(sources.flatMap(({ values }) => Object.keys(values)))
  return [...names]
    .filter((name) => OWN_PREFIXES.some((prefix) => name.startsWith(prefix)))
    .filter((name) => !Object.hasOwn(CATALOGUE, name) && !FOREIGN.includes(name))
    .filter((name) => !FOREIGN_PREFIXES.some((prefix) => name.startsWith(prefix)) && !name.startsWith(TIER_PREFIX))
    .map((name) => {
      const near = nearestWord(name, known)
      return { name, message: `${name} is not a setting${near === null ? '' : `; did you mean ${near}?`}` }
    })
}

const MONEY_PREFIXES = ['BILLING_', 'MARKETPLACE_', 'CARD_PROVIDER_']
/** Checked together with the figures that they change. */
const FIGURE_PREFIXES = ['BILLING_PLAN_', 'BILLING_BUNDLE_', 'BILLING_COMBO_']

/** A misspelt setting about money would leave the default in force without a message, so it is refused. */
function unknownMoney(sources: readonly SettingSource[]): SettingMessage[] {
  const known = [...Object.keys(CATALOGUE), ...scalarSettings.map(({ name }) => name)]
  return [...new Set(sources.flatMap(({ values }) => Object.keys(values)))]
    .filter((name) => MONEY_PREFIXES.some((prefix) => name.startsWith(prefix)) && !known.includes(name))
    .filter((name) => !FIGURE_PREFIXES.some((prefix) => name.startsWith(prefix)))
    .map((name) => {
      const near = nearestWord(name, known)
      return { name, message: `${name} is not a setting${near === null ? '' : `; did you mean ${near}?`}` }
    })
}

/** Checks settings that depend on each other, in every environment. */
function mistakesTogether(values: SettingValues): SettingMessage[] {
  const found: SettingMessage[] = []
  const need = (holds: boolean, name: SettingName, message: string) => {
    if (!holds) found.push({ name, message: `${name} ${message}` })
  }
  need((values.TLS_CERT === null) === (values.TLS_KEY === null), 'TLS_CERT', 'and TLS_KEY need each other')
  need(
    (values.ADMIN_IDENTIFIER === null) === (values.ADMIN_PASSWORD === null),
    'ADMIN_IDENTIFIER',
    'and ADMIN_PASSWORD need each other',
  )
  need(
    (values.SMTP_USER === null) === (values.SMTP_PASSWORD === null),
    'SMTP_USER',
    'and SMTP_PASSWORD need each other',
  )
  need(
    (values.PLUMBLINE_SERVICE_CLIENT_ID === null) === (values.PLUMBLINE_SERVICE_CLIENT_SECRET === null),
    'PLUMBLINE_SERVICE_CLIENT_ID',
    'and PLUMBLINE_SERVICE_CLIENT_SECRET need each other',
  )
  for (const name of ['DATABASE_TENANT_URL', 'DATABASE_SYSTEM_URL'] as const) {
    const isAlone = values[name] !== null && !/^postgres/.test(values.DATABASE_URL ?? '')
    need(!isAlone, name, 'needs DATABASE_URL with the same PostgreSQL database, for its owner')
  }
  if (values.BLOB_STORE === 's3') {
    for (const name of ['BLOB_S3_BUCKET', 'BLOB_S3_ACCESS_KEY_ID', 'BLOB_S3_SECRET_ACCESS_KEY'] as const) {
      need(values[name] !== null, name, 'is required when BLOB_STORE is s3')
    }
  }
  if (values.EMAIL_PROVIDER === 'smtp') {
    need(values.SMTP_HOST !== null, 'SMTP_HOST', 'is required when EMAIL_PROVIDER is smtp')
    need(values.MAIL_FROM !== null, 'MAIL_FROM', 'is required when EMAIL_PROVIDER is smtp')
  }
  if (values.JWT_ALG === 'EdDSA') {
    const wrong = (values.JWT_KEYS ?? []).filter(({ key }) => key.length !== 32).map(({ id }) => id)
    need(wrong.length === 0, 'JWT_KEYS', `needs seeds of exactly 32 bytes for JWT_ALG=EdDSA: ${wrong.join(', ')}`)
  }
  need(values.PLUMBLINE_MODULES.length > 0, 'PLUMBLINE_MODULES', 'names no module')
  return found
}
