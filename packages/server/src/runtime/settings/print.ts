/**
 * The output of `config print`, and the reference page, both made from the table. Secrets are listed and their values
 * are never shown.
 */
import { declared } from '../declared.js'
import type { Setting } from '../setting/setting.js'
import { ENTRIES, type SettingName } from './catalogue.js'
import type { LoadedSettings } from './load.js'

export interface PrintedSetting {
  readonly name: SettingName
  /** The value in the form of a setting; null when it is not set and has no default. */
  readonly value: string | null
  readonly origin: string
}

export function configPrint(loaded: LoadedSettings & { ok: true }): PrintedSetting[] {
  return ENTRIES.map(([name, setting]) => {
    const value = loaded.settings[name]
    return {
      name,
      value: value === null ? null : setting.secret ? '(set, not shown)' : setting.type.print(value),
      origin: loaded.origins.get(name) ?? 'default',
    }
  })
}

/** Notes for readers of `config print`, in addition to the values. */
export function configNotes({ settings }: LoadedSettings & { ok: true }): string[] {
  const notes: string[] = []
  if (!settings.BILLING_ENABLED) {
    notes.push('BILLING_ENABLED is false: tier limits are not enforced, and every organization has tier `unlimited`')
  }
  if (settings.EMAIL_PROVIDER === 'none') {
    notes.push(
      settings.NODE_ENV === 'production'
        ? 'EMAIL_PROVIDER is none: requests that need an e-mail are answered with 503 EMAIL_NOT_CONFIGURED'
        : 'EMAIL_PROVIDER is none: e-mails are shown on the terminal (standard error) and not sent',
    )
  }
  if (settings.REDIS_URL === null) {
    notes.push(
      'REDIS_URL is not set: each replica counts requests separately, so a limit is multiplied by their number',
    )
  }
  if (settings.BLOB_STORE === 'fs' && /^postgres/.test(settings.DATABASE_URL ?? '')) {
    notes.push('BLOB_STORE is fs: several replicas need the same `blobs` folder in DATA_DIR, or BLOB_STORE=s3')
  }
  return notes
}

const TITLES: Readonly<Record<string, string>> = declared('sections')

/** `docs/reference/settings.md`. */
export function settingsReference(): string {
  return [
    '# Settings of the server',
    '',
    'Generated from the table of settings (`npm run generate`); a test compares this page with it.',
    '',
    'Command-line options take precedence over environment variables, which take precedence over the file named by',
    '`PLUMBLINE_CONFIG` (one `NAME=value` a line, `#` before a comment). The server does not start with a malformed value, and',
    'reports all mistakes at once. It warns about a name that has one of our prefixes and is not in this list. An empty value',
    'counts as not set. Limits and prices of tiers: [billing settings](billing-settings.md).',
    ...Object.entries(TITLES).flatMap(([section, title]) => [
      '',
      `## ${title}`,
      '',
      '| Setting | Value | Default | Meaning |',
      '|---|---|---|---|',
      ...ENTRIES.filter(([, setting]) => setting.section === section).map(([name, setting]) => row(name, setting)),
    ]),
    '',
  ].join('\n')
}

function row(name: string, setting: Setting): string {
  const printed = setting.default === null ? '' : setting.type.print(setting.default)
  const marks = [setting.secret ? 'Secret' : '', setting.neededInProduction ? 'Required in production' : '']
  const meaning = [setting.doc, ...marks.filter((mark) => mark !== '')].join('. ')
  return `| \`${name}\` | ${setting.type.describe} | ${printed === '' ? 'none' : `\`${printed}\``} | ${meaning} |`
}
