/**
 * Makes the reference page of the settings from the tables. A test verifies that `docs/reference/billing-settings.md`
 * equals it.
 */
import { catalogueSettings, type SettingSpec, scalarSettings } from './table.js'

export function renderSettingsReference(): string {
  return [
    '# Billing settings',
    '',
    'Generated from the settings table of `@plumbline/billing-core`; a test compares this page with it.',
    'A program that uses the package reads them with `loadBillingSettings`. The server has settings of its own, with the same names where both need them: [settings](settings.md).',
    'A malformed value refuses to start, naming the setting; all mistakes are reported at once.',
    'Booleans are `true` or `false`; numbers are whole, without sign, point or leading zeros.',
    '',
    '## Switches, intervals, providers',
    '',
    ...table(scalarSettings),
    '',
    '## Overrides of the catalogue',
    '',
    'Not set means the figure of the specification. The `unlimited` tier cannot be overridden.',
    '',
    ...table(catalogueSettings),
    '',
  ].join('\n')
}

function table(specs: readonly SettingSpec[]): string[] {
  return [
    '| Setting | Value | Default | Meaning |',
    '|---|---|---|---|',
    ...specs.map(
      (spec) =>
        `| \`${spec.name}\` | ${describeKind(spec)} | ${spec.default === null ? 'none' : `\`${spec.default}\``} | ${spec.summary}${spec.secret ? '. Secret' : ''} |`,
    ),
  ]
}

function describeKind(spec: SettingSpec): string {
  switch (spec.kind) {
    case 'choice':
      return (spec.choices ?? []).map((choice) => `\`${choice}\``).join(', ')
    case 'whole':
      return spec.max === undefined
        ? `whole number from ${spec.min ?? 0}`
        : `whole number ${spec.min ?? 0} to ${spec.max}`
    case 'cents':
      return 'cents'
    case 'json':
      return 'JSON'
    case 'keys':
      return 'key ring'
    case 'boolean':
    case 'text':
      return spec.kind
  }
}
