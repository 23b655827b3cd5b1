/** Specification of `plumbline billing …`: the account's subscription, and the arithmetic of billing without a server. */

import { VOCABULARY } from '../api-facts.js'
import type { CommandSpec, OptionSpec } from '../command.js'
import { dataOptions } from '../program/output-options.js'
import { billingActions } from '../records/commands.js'
import { serverOptions } from '../remote/options.js'

const addonOption: OptionSpec = {
  flags: '--addon <bundle=quantity>',
  description: 'a held add-on, such as plugin_pack=2; without a quantity it is one',
  repeatable: true,
}
const explainOption: OptionSpec = { flags: '--explain', description: 'show every step of the calculation' }
const settingsOption: OptionSpec = {
  flags: '--settings <file>',
  description: 'billing settings as a JSON object or KEY=VALUE lines, instead of the environment',
}

const limitsCommand: CommandSpec = {
  name: 'limits',
  summary: 'show the effective limits and features of a tier with add-ons',
  description:
    'Names every addend of a limit. Overrides are read from the environment (QUOTA_TIER_…, BILLING_BUNDLE_…).',
  options: [
    {
      flags: '--tier <tier>',
      description: 'the tier of the account',
      choices: VOCABULARY.tier,
    },
    addonOption,
    ...dataOptions,
    explainOption,
    settingsOption,
  ],
  examples: [
    {
      command: 'plumbline billing limits --tier team --addon plugin_pack=2 --addon seat_pack=1',
      explanation: 'what the account may use, and why',
    },
  ],
  load: () => import('./limits.js'),
}

const quoteCommand: CommandSpec = {
  name: 'quote',
  summary: 'price a plan with add-ons, combos and credit for one period',
  options: [
    { flags: '--plan <plan>', description: 'the plan', choices: VOCABULARY.plan },
    {
      flags: '--interval <interval>',
      description: 'billing interval',
      choices: VOCABULARY.interval,
      default: 'monthly',
    },
    addonOption,
    { flags: '--credit <dollars>', description: 'credit balance, such as 25 or 25.50' },
    {
      flags: '--discount <code>',
      description: 'a discount in authoring form, granted as credit: 20:percent:onetime',
      repeatable: true,
    },
    ...dataOptions,
    explainOption,
    settingsOption,
  ],
  examples: [
    {
      command:
        'plumbline billing quote --plan team --addon advanced_reporting --addon team_usage_analytics --credit 25',
      explanation: 'plan, add-ons, the combo that they make, credit, total',
    },
    {
      command: 'plumbline billing quote --plan pro --discount 20:percent:onetime --explain',
      explanation: 'with every step',
    },
  ],
  load: () => import('./quote.js'),
}

const discountCommand: CommandSpec = {
  name: 'discount',
  summary: 'read discounts: the authoring form, or an issued token',
  examples: [
    { command: 'plumbline billing discount parse 20:percent:recurring:launch', explanation: 'what the form says' },
  ],
  subcommands: [
    {
      name: 'parse',
      summary: 'check a discount in authoring form, value:unit:kind[:campaign]',
      description: 'The ceilings BILLING_DISCOUNT_MAX_PERCENT and BILLING_DISCOUNT_MAX_CENTS apply.',
      arguments: [{ syntax: '<code>', description: 'such as 20:percent:recurring or 50:$:credit:launch' }],
      options: [...dataOptions, settingsOption],
      examples: [
        { command: 'plumbline billing discount parse 50:$:credit:launch', explanation: 'fifty dollars of credit' },
      ],
      load: () => import('./discount-parse.js'),
    },
    {
      name: 'inspect',
      summary: 'open a discount token with the key ring, offline',
      description:
        'The keys come from BILLING_DISCOUNT_KEYS or a file, never from the command line, where other users could read ' +
        'them. Exits 1 when the token does not open: forged, altered, or of a key that the ring does not hold.',
      arguments: [{ syntax: '<token>', description: 'the token; - for stdin' }],
      options: [
        { flags: '--keys-file <file>', description: 'file that holds the key ring, instead of the environment' },
        ...dataOptions,
      ],
      examples: [
        {
          command: 'plumbline billing discount inspect v1.pbKk… --keys-file keys.txt',
          explanation: 'what the token is worth',
        },
      ],
      load: () => import('./discount-inspect.js'),
    },
  ],
}

const meterCommand: CommandSpec = {
  name: 'meter',
  summary: 'show what an hour of marketplace metering would report and withhold',
  description:
    'The file holds one account or a JSON array of them: {"addons": [{"bundleId", "quantity"}], "creditCents"}. Nothing ' +
    'is sent. The maps come from MARKETPLACE_BUNDLE_DIMENSION_MAP and MARKETPLACE_DIMENSION_PRICE_MAP.',
  arguments: [{ syntax: '<file>', description: 'JSON; - for stdin' }],
  options: [
    { flags: '--dry-run', description: 'required: metering itself is done by the server' },
    ...dataOptions,
    explainOption,
    settingsOption,
  ],
  examples: [
    { command: 'plumbline billing meter --dry-run account.json', explanation: 'records, withheld units, credit left' },
  ],
  load: () => import('./meter.js'),
}

const ledgerCommand: CommandSpec = {
  name: 'ledger',
  summary: 'work with exported credit ledgers',
  examples: [
    { command: 'plumbline billing ledger check ledger.jsonl', explanation: 'replay and check every invariant' },
  ],
  subcommands: [
    {
      name: 'check',
      summary: 'replay a credit ledger from zero and check every invariant',
      description:
        'The file holds rows as a JSON array or JSON Lines, of one account or several. Exits 1 when an invariant does ' +
        'not hold, naming row and rule.',
      arguments: [{ syntax: '<file>', description: 'ledger rows; - for stdin' }],
      options: dataOptions,
      examples: [
        { command: 'plumbline billing ledger check ledger.jsonl', explanation: 'findings, or the balances' },
        {
          command: 'plumbline billing ledger check - --format json < ledger.json',
          explanation: 'for a program',
        },
      ],
      load: () => import('./ledger-check.js'),
    },
    {
      name: 'export',
      summary: 'write the credit ledger of your account to a file that verifies without the server',
      description:
        'The server seals the ledger in the audit log first, so an audit export that is made afterwards covers every row.',
      options: [{ flags: '-o, --output <file>', description: 'file to write; stdout when left out' }, ...serverOptions],
      examples: [
        { command: 'plumbline billing ledger export --output ledger.jsonl', explanation: 'every row of the account' },
      ],
      load: () => import('./ledger-export.js'),
    },
    {
      name: 'verify',
      summary: 'compare an exported ledger with the seals of an audit export, offline',
      description:
        'Exits 0 when every row equals its sealed form, 1 when a row differs (it is named), 3 when it cannot be decided. The audit ' +
        'export is verified first: give the operator’s key with --key.',
      arguments: [{ syntax: '<file>', description: 'exported ledger; - for stdin' }],
      options: [
        { flags: '--audit <file>', description: 'audit export of the same account' },
        { flags: '--key <file>', description: 'verifier keys you got from the operator', repeatable: true },
        { flags: '--trust-file-keys', description: 'trust the keys inside the audit export as those of the operator' },
        ...dataOptions,
      ],
      examples: [
        {
          command: 'plumbline billing ledger verify ledger.jsonl --audit audit.jsonl --key audit.pub',
          explanation: 'names each row that was changed',
        },
      ],
      load: () => import('./ledger-verify.js'),
    },
  ],
}

const fakeCommand: CommandSpec = {
  name: 'fake',
  summary: 'run a payment provider on this machine, which charges nobody',
  examples: [{ command: 'plumbline billing fake card', explanation: 'and the settings of the server for it' }],
  subcommands: [
    {
      name: 'card',
      summary: 'run a card provider on this machine',
      description:
        'It has the API of the real provider, keeps its state in memory, has a clock, signs webhooks, and fails on request. ' +
        'Prints the settings of the server for it. Below /_fake are its controls: POST clock {"days"}, faults {"kind", "match", ' +
        '"times"}, deliveries {"mode"}, card/<customer> {"card"}, pay/<invoice>, refund/<charge>, dispute/<charge>, resend/<event>; GET state.',
      options: [
        { flags: '--port <number>', description: 'port to listen on', integer: { min: 0, max: 65_535 }, default: 4010 },
        {
          flags: '--webhook <url>',
          description: 'where deliveries go',
          default: 'http://127.0.0.1:3000/api/billing/card-provider/webhook',
        },
        { flags: '--shape <shape>', description: 'shape of its objects', choices: ['new', 'old'], default: 'new' },
      ],
      examples: [{ command: 'plumbline billing fake card --port 4010', explanation: 'until it is interrupted' }],
      load: () => import('./fake-card.js'),
    },
    {
      name: 'marketplace',
      summary: 'run a cloud marketplace on this machine',
      description:
        'It has the API of the real marketplace, keeps its state in memory, has a clock, signs notices, and fails on request. ' +
        'Prints the settings of the server for it. Below /_fake are its controls: POST buy {"kind", "dimension", "days"}, entitle/<id>, ' +
        'cancel/<id>, token/<id>, tell/<id> {"action"}, clock {"hours"}, faults {"kind", "match", "times", "takes"}, deliveries {"mode"}, ' +
        'subscribe {"url"}, resend/<id>; GET state.',
      options: [
        { flags: '--port <number>', description: 'port to listen on', integer: { min: 0, max: 65_535 }, default: 4011 },
        {
          flags: '--endpoint <url>',
          description: 'where notices go',
          default: 'http://127.0.0.1:3000/api/billing/marketplace/notifications',
        },
        { flags: '--signature <version>', description: 'how notices are signed', choices: ['1', '2'], default: '2' },
      ],
      examples: [{ command: 'plumbline billing fake marketplace --port 4011', explanation: 'until it is interrupted' }],
      load: () => import('./fake-marketplace.js'),
    },
  ],
}

const providerCommand: CommandSpec = {
  name: 'provider',
  summary: 'check the payment provider of this server against what is sold, and set it up',
  examples: [{ command: 'plumbline billing provider check', explanation: 'before the first customer pays' }],
  subcommands: [
    {
      name: 'check',
      summary: 'compare the card provider or the marketplace with the settings',
      description: 'Changes nothing. Exits with 2 when something is wrong.',
      options: [...dataOptions],
      examples: [{ command: 'plumbline billing provider check', explanation: 'every price and the endpoint' }],
      load: () => import('./provider-check.js'),
    },
    {
      name: 'setup',
      summary: 'show what is missing at the card provider, and create it; or what the marketplace listing needs',
      description:
        'Prices have stable names, so a second run creates none twice. The secret of a new endpoint is printed only once.',
      options: [{ flags: '--apply', description: 'create what is missing' }, ...dataOptions],
      examples: [
        { command: 'plumbline billing provider setup', explanation: 'what is missing' },
        { command: 'plumbline billing provider setup --apply', explanation: 'creates it, and prints the settings' },
      ],
      load: () => import('./provider-setup.js'),
    },
  ],
}

export const billingCommand: CommandSpec = {
  name: 'billing',
  summary: 'manage the subscription of an account, and calculate bills without a server',
  examples: [
    { command: 'plumbline billing subscribe pro', explanation: 'buy a plan' },
    { command: 'plumbline billing next-invoice', explanation: 'what comes next' },
    { command: 'plumbline billing quote --plan team --addon plugin_pack=2', explanation: 'what a month costs' },
    { command: 'plumbline billing ledger check ledger.jsonl', explanation: 'are the credits sound?' },
  ],
  subcommands: [
    ...billingActions,
    limitsCommand,
    quoteCommand,
    discountCommand,
    meterCommand,
    ledgerCommand,
    providerCommand,
    fakeCommand,
  ],
}
