/** The named groups of commands below `plumbline billing`, such as `addons`. */
import { addon, live } from './billing.js'
import type { ActionGroup, Flag } from './resource.js'

const bundle = { syntax: '<bundle>', description: 'id of the add-on, such as seat_pack' } as const
const quantity: Flag = {
  flags: '--quantity <number>',
  description: 'the new quantity, not how many to add',
  integer: { min: 0, max: 1000 },
}
const token: Flag = {
  flags: '--preview-token <token>',
  description: 'token of a preview: the change costs what the preview showed, or is refused',
}

const when: Flag = { flags: '--when <moment>', description: 'at once, or with the next period' }

const addons: ActionGroup = {
  name: 'addons',
  summary: 'add-ons of the subscription',
  examples: [
    { command: 'plumbline billing addons set pipeline_pack --quantity 2', explanation: 'twenty pipelines more' },
  ],
  actions: [
    {
      name: 'list',
      summary: 'list the add-ons that the account can buy',
      method: 'GET',
      path: '/billing/bundles',
      shows: {
        as: 'rows',
        key: 'bundles',
        columns: {
          bundle: 'id',
          name: 'name',
          'monthly, cents': 'prices.monthly',
          'annual, cents': 'prices.annual',
          max: 'max',
        },
      },
      examples: [{ command: 'plumbline billing addons list', explanation: 'those of the tier' }],
    },
    {
      name: 'preview',
      summary: 'show what an add-on would cost and do',
      method: 'POST',
      path: '/billing/subscriptions/{id}/addons/preview',
      arguments: [{ ...bundle, means: 'body', sends: 'bundleId' }],
      current: live,
      body: [quantity, when],
      shows: { as: 'record' },
      examples: [{ command: 'plumbline billing addons preview seat_pack', explanation: 'limits, price, combos' }],
    },
    {
      name: 'set',
      summary: 'add an add-on, or change its quantity',
      method: 'POST',
      path: '/billing/subscriptions/{id}/addons',
      arguments: [{ ...bundle, means: 'body', sends: 'bundleId' }],
      current: live,
      body: [quantity, when, token],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline billing addons set api_pack --quantity 2', explanation: 'in force at once' },
        { command: 'plumbline billing addons set seat_pack --when period_end', explanation: 'from the next period on' },
      ],
    },
    {
      name: 'remove',
      summary: 'remove an add-on; what is paid and not used becomes credit',
      method: 'DELETE',
      path: '/billing/subscriptions/{id}/addons/{bundleId}',
      arguments: [{ ...bundle, means: 'path', sends: 'bundleId' }],
      current: live,
      query: [when],
      asksFirst: true,
      shows: { as: 'record' },
      examples: [{ command: 'plumbline billing addons remove api_pack', explanation: 'what requires it goes with it' }],
    },
  ],
}

const id = (what: string) =>
  ({ syntax: `<${what}>`, description: `id of the ${what}`, means: 'path', sends: 'id' }) as const
const account: Flag = {
  flags: '--account <id>',
  description: 'id of an organization of the account',
  sends: 'targetOrgId',
}
const campaign: Flag = { flags: '--campaign <name>', description: 'a label to find it by' }
const sandbox: Flag = { flags: '--sandbox', description: 'only for accounts with a test clock' }

const discounts: ActionGroup = {
  name: 'discounts',
  summary: 'discounts, for operators',
  examples: [
    { command: 'plumbline billing admin discounts create 20:percent:recurring:launch', explanation: 'make one' },
  ],
  actions: [
    {
      name: 'create',
      summary: 'make a discount',
      description: 'Its form is `value:unit:kind[:campaign]`: `20:percent:recurring`, `50:dollar:credit`.',
      method: 'POST',
      path: '/billing/admin/discounts',
      arguments: [{ syntax: '<form>', description: 'value, unit and kind', means: 'body', sends: 'code' }],
      body: [
        { flags: '--alias <alias>', description: 'what people type to redeem it' },
        {
          flags: '--max <number>',
          description: 'how often it can be redeemed at most',
          sends: 'maxRedemptions',
          integer: { min: 1, max: 1_000_000 },
        },
        {
          flags: '--until <instant>',
          description: 'until when it can be redeemed',
          sends: 'redeemBy',
          isInstant: true,
        },
        { flags: '--tier <tier>', description: 'for this tier only', sends: 'appliesToTiers', repeatable: true },
        account,
        campaign,
        sandbox,
      ],
      shows: { as: 'record' },
      examples: [
        {
          command: 'plumbline billing admin discounts create 50:dollar:credit --alias SPRING --max 100',
          explanation: 'the first hundred',
        },
      ],
    },
    {
      name: 'list',
      summary: 'list discounts',
      method: 'GET',
      path: '/billing/admin/discounts',
      query: [campaign, { flags: '--active <bool>', description: 'active or not' }],
      shows: {
        as: 'list',
        key: 'discounts',
        columns: {
          id: 'id',
          value: 'value',
          unit: 'unit',
          kind: 'kind',
          redeemed: 'timesRedeemed',
          max: 'maxRedemptions',
          active: 'isActive',
        },
      },
      examples: [
        { command: 'plumbline billing admin discounts list --active true', explanation: 'what can be redeemed' },
      ],
    },
    {
      name: 'show',
      summary: 'show one discount',
      method: 'GET',
      path: '/billing/admin/discounts/{id}',
      arguments: [id('discount')],
      shows: { as: 'record', key: 'discount' },
      examples: [{ command: 'plumbline billing admin discounts show 0190…', explanation: 'how often it was redeemed' }],
    },
    {
      name: 'edit',
      summary: 'change whether, how often and until when it can be redeemed',
      method: 'PUT',
      path: '/billing/admin/discounts/{id}',
      arguments: [id('discount')],
      body: [
        { flags: '--activate', description: 'allow it to be redeemed again', sends: 'isActive', value: true },
        {
          flags: '--max <number>',
          description: 'how often it can be redeemed at most',
          sends: 'maxRedemptions',
          integer: { min: 1, max: 1_000_000 },
        },
        {
          flags: '--until <instant>',
          description: 'until when it can be redeemed',
          sends: 'redeemBy',
          isInstant: true,
        },
      ],
      shows: { as: 'record', key: 'discount' },
      examples: [{ command: 'plumbline billing admin discounts edit 0190… --max 200', explanation: 'a hundred more' }],
    },
    {
      name: 'revoke',
      summary: 'revoke a discount and all of its tokens',
      method: 'DELETE',
      path: '/billing/admin/discounts/{id}',
      arguments: [id('discount')],
      asksFirst: true,
      shows: { as: 'record', key: 'discount' },
      examples: [{ command: 'plumbline billing admin discounts revoke 0190…', explanation: 'granted credit stays' }],
    },
    {
      name: 'token',
      summary: 'issue a token that redeems a discount; it is shown once',
      method: 'POST',
      path: '/billing/admin/discounts/{id}/token',
      arguments: [id('discount')],
      shows: { as: 'record', key: 'token' },
      examples: [{ command: 'plumbline billing admin discounts token 0190…', explanation: 'a text for one customer' }],
    },
    {
      name: 'apply',
      summary: 'give a discount to an account',
      method: 'POST',
      path: '/billing/admin/discounts/{id}/apply',
      arguments: [id('discount')],
      body: [account],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline billing admin discounts apply 0190… --account 0191…', explanation: 'without a code' },
      ],
    },
    {
      name: 'preview',
      summary: 'show what a discount is worth to an account',
      method: 'POST',
      path: '/billing/admin/discounts/{id}/preview',
      arguments: [id('discount')],
      body: [account],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline billing admin discounts preview 0190… --account 0191…', explanation: 'nothing is given' },
      ],
    },
  ],
}

const PROJECTION = { as: 'record', key: 'projection' } as const
const draftFile = { description: 'the promotion as JSON or YAML', isRequired: true } as const

const promotions: ActionGroup = {
  name: 'promotions',
  summary: 'promotions, for operators',
  examples: [
    { command: 'plumbline billing admin promotions dry-run --file spring.yaml', explanation: 'who gets what' },
  ],
  actions: [
    {
      name: 'create',
      summary: 'make a promotion from a file',
      method: 'POST',
      path: '/billing/admin/promotions',
      bodyFile: draftFile,
      shows: { as: 'record', key: 'promotion' },
      examples: [
        {
          command: 'plumbline billing admin promotions create --file spring.yaml',
          explanation: 'it grants on its trigger',
        },
      ],
    },
    {
      name: 'dry-run',
      summary: 'show which accounts a draft would grant credit to, and where its budget ends',
      method: 'POST',
      path: '/billing/admin/promotions/dry-run',
      bodyFile: draftFile,
      shows: PROJECTION,
      examples: [
        { command: 'plumbline billing admin promotions dry-run --file spring.yaml', explanation: 'nothing is stored' },
      ],
    },
    {
      name: 'list',
      summary: 'list promotions',
      method: 'GET',
      path: '/billing/admin/promotions',
      query: [campaign],
      shows: {
        as: 'list',
        key: 'promotions',
        columns: {
          id: 'id',
          name: 'name',
          trigger: 'trigger.type',
          'budget, cents': 'budgetCents',
          'spent, cents': 'spentCents',
          active: 'isActive',
        },
      },
      examples: [{ command: 'plumbline billing admin promotions list', explanation: 'budget and spend of each' }],
    },
    {
      name: 'show',
      summary: 'show one promotion',
      method: 'GET',
      path: '/billing/admin/promotions/{id}',
      arguments: [id('promotion')],
      shows: { as: 'record', key: 'promotion' },
      examples: [{ command: 'plumbline billing admin promotions show 0190…', explanation: 'all of it' }],
    },
    {
      name: 'preview',
      summary: 'show which accounts activating it would grant credit to',
      method: 'POST',
      path: '/billing/admin/promotions/{id}/preview',
      arguments: [id('promotion')],
      shows: PROJECTION,
      examples: [
        { command: 'plumbline billing admin promotions preview 0190…', explanation: 'in the order of the budget' },
      ],
    },
    {
      name: 'activate',
      summary: 'grant it to all accounts that are eligible now',
      method: 'POST',
      path: '/billing/admin/promotions/{id}/activate',
      arguments: [id('promotion')],
      asksFirst: true,
      shows: { as: 'record' },
      examples: [{ command: 'plumbline billing admin promotions activate 0190…', explanation: 'each account once' }],
    },
    {
      name: 'grant',
      summary: 'give it to one account',
      method: 'POST',
      path: '/billing/admin/promotions/{id}/grant',
      arguments: [id('promotion')],
      body: [account],
      shows: { as: 'record' },
      examples: [
        {
          command: 'plumbline billing admin promotions grant 0190… --account 0191…',
          explanation: 'whatever its trigger',
        },
      ],
    },
    {
      name: 'spend',
      summary: 'show what it cost, by the ledger and by its counters',
      method: 'GET',
      path: '/billing/admin/promotions/{id}/spend',
      arguments: [id('promotion')],
      shows: { as: 'record', key: 'spend' },
      examples: [{ command: 'plumbline billing admin promotions spend 0190…', explanation: 'and how far they differ' }],
    },
    {
      name: 'revoke',
      summary: 'end a promotion; granted credit stays',
      method: 'DELETE',
      path: '/billing/admin/promotions/{id}',
      arguments: [id('promotion')],
      asksFirst: true,
      shows: { as: 'record', key: 'promotion' },
      examples: [
        { command: 'plumbline billing admin promotions revoke 0190…', explanation: 'it grants nothing any more' },
      ],
    },
  ],
}

const EVENT = [
  { syntax: '<source>', description: '`card_provider` or `marketplace`', means: 'path', sends: 'source' },
  { syntax: '<event>', description: "the provider's id of the event", means: 'path', sends: 'eventId' },
] as const

const webhooks: ActionGroup = {
  name: 'webhooks',
  summary: 'deliveries of the provider, and their results',
  examples: [{ command: 'plumbline billing admin webhooks list --state failed', explanation: 'what went wrong' }],
  actions: [
    {
      name: 'list',
      summary: 'list deliveries',
      method: 'GET',
      path: '/billing/admin/webhook-events',
      query: [
        {
          flags: '--state <state>',
          description: 'in this state',
        },
        { flags: '--type <name>', description: 'of this type, such as invoice.paid' },
      ],
      shows: {
        as: 'list',
        key: 'events',
        columns: { received: 'receivedAt', event: 'eventId', type: 'type', state: 'state', effect: 'effect' },
      },
      examples: [{ command: 'plumbline billing admin webhooks list', explanation: 'the newest first' }],
    },
    {
      name: 'show',
      summary: 'show one delivery',
      method: 'GET',
      path: '/billing/admin/webhook-events/{source}/{eventId}',
      arguments: EVENT,
      shows: { as: 'record', key: 'event' },
      examples: [{ command: 'plumbline billing admin webhooks show card_provider evt_1', explanation: 'its effect' }],
    },
    {
      name: 'replay',
      summary: 'process a delivery again; one that was processed runs as a dry run and shows what it would change',
      method: 'POST',
      path: '/billing/admin/webhook-events/{source}/{eventId}/replay',
      arguments: EVENT,
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline billing admin webhooks replay card_provider evt_1', explanation: 'repairs a failed one' },
      ],
    },
  ],
}

const calls: ActionGroup = {
  name: 'calls',
  summary: 'calls to the provider',
  examples: [
    { command: 'plumbline billing admin calls list --state unknown', explanation: 'calls whose result is unknown' },
  ],
  actions: [
    {
      name: 'list',
      summary: 'list calls',
      method: 'GET',
      path: '/billing/admin/calls',
      query: [
        {
          flags: '--state <state>',
          description: 'in this state',
        },
        account,
      ].map((flag) => (flag === account ? { ...account, sends: 'orgId' } : flag)),
      shows: {
        as: 'list',
        key: 'calls',
        columns: { created: 'createdAt', kind: 'kind', state: 'state', attempts: 'attempts', id: 'id' },
      },
      examples: [{ command: 'plumbline billing admin calls list', explanation: 'the newest first' }],
    },
    {
      name: 'retry',
      summary: 'continue an open call now',
      method: 'POST',
      path: '/billing/admin/calls/{id}/retry',
      arguments: [id('call')],
      shows: { as: 'record', key: 'call' },
      examples: [{ command: 'plumbline billing admin calls retry 0190…', explanation: 'without waiting for the job' }],
    },
  ],
}

const accountId = { syntax: '<account>', description: 'id of the organization', means: 'path', sends: 'orgId' } as const

const subscriptions: ActionGroup = {
  name: 'subscriptions',
  summary: 'subscriptions of all accounts, for operators',
  examples: [{ command: 'plumbline billing admin subscriptions list --status past_due', explanation: 'who owes' }],
  actions: [
    {
      name: 'list',
      summary: 'list the subscriptions of all accounts',
      method: 'GET',
      path: '/billing/admin/subscriptions',
      query: [
        { flags: '--status <status>', description: 'active, trialing, past_due, canceled or incomplete' },
        { flags: '--account <id>', description: 'of this account', sends: 'orgId' },
      ],
      shows: {
        as: 'list',
        key: 'subscriptions',
        columns: { account: 'orgId', plan: 'planId', status: 'status', 'period ends': 'currentPeriodEnd', id: 'id' },
      },
      examples: [{ command: 'plumbline billing admin subscriptions list', explanation: 'the newest first' }],
    },
    {
      name: 'override',
      summary: 'set plan, interval, add-ons, status or end without an invoice; asks for your password',
      description:
        'Sets plan, interval, add-ons, status or end without an invoice; asks for your password. Add-ons that are not named stay. For a purchase at a marketplace only add-ons can be set.',
      method: 'PUT',
      path: '/billing/admin/subscriptions/{id}',
      arguments: [id('subscription')],
      body: [
        { flags: '--plan <plan>', description: 'the plan', sends: 'planId' },
        { flags: '--interval <interval>', description: 'monthly or annual' },
        addon,
        { flags: '--status <status>', description: 'active forgets failed payments; canceled ends it now' },
        {
          flags: '--end-with-period',
          description: 'end it when the period that was paid ends',
          sends: 'cancelAtPeriodEnd',
          value: true,
        },
        {
          flags: '--go-on',
          description: 'take back that it ends with its period',
          sends: 'cancelAtPeriodEnd',
          value: false,
          conflicts: ['endWithPeriod'],
        },
      ],
      asksFirst: true,
      shows: { as: 'record', key: 'subscription' },
      examples: [
        {
          command: 'plumbline billing admin subscriptions override 0190… --plan team',
          explanation: 'limits follow at once',
        },
        {
          command: 'plumbline billing admin subscriptions override 0190… --addon seat_pack=2 --addon api_pack=0',
          explanation: 'two seat packs, no API pack',
        },
      ],
    },
  ],
}

const credits: ActionGroup = {
  name: 'credits',
  summary: 'the credit of an account, for operators',
  examples: [{ command: 'plumbline billing admin credits check 0190…', explanation: 'does its ledger hold?' }],
  actions: [
    {
      name: 'check',
      summary: 'replay the ledger of an account, and name what does not hold',
      method: 'GET',
      path: '/billing/admin/credits/{orgId}/check',
      arguments: [accountId],
      shows: { as: 'record' },
      examples: [{ command: 'plumbline billing admin credits check 0190…', explanation: 'findings, or none' }],
    },
  ],
}

const entitlements: ActionGroup = {
  name: 'entitlements',
  summary: 'what accounts are entitled to, for operators',
  examples: [
    { command: 'plumbline billing admin entitlements show 0190…', explanation: 'compared with what is in force' },
  ],
  actions: [
    {
      name: 'show',
      summary: 'compare what an account is entitled to with what is in force',
      method: 'GET',
      path: '/billing/admin/entitlements/{orgId}',
      arguments: [accountId],
      shows: { as: 'record', key: 'entitlement' },
      examples: [{ command: 'plumbline billing admin entitlements show 0190…', explanation: 'names what differs' }],
    },
    {
      name: 'resync',
      summary: 'apply the entitlements of an account again',
      method: 'POST',
      path: '/billing/admin/entitlements/{orgId}/resync',
      arguments: [accountId],
      shows: { as: 'record', key: 'entitlement' },
      examples: [{ command: 'plumbline billing admin entitlements resync 0190…', explanation: 'and shows it' }],
    },
  ],
}

const admin: ActionGroup = {
  name: 'admin',
  summary: 'billing of all accounts, for operators',
  examples: [{ command: 'plumbline billing admin discounts list', explanation: 'what is on offer' }],
  actions: [
    {
      name: 'reconcile',
      summary: 'compare with the provider now, and repair what differs',
      method: 'POST',
      path: '/billing/admin/reconcile',
      shows: { as: 'record' },
      examples: [{ command: 'plumbline billing admin reconcile', explanation: 'lists the drift' }],
    },
    {
      name: 'backfill',
      summary: 'grant promotions that were missed, without waiting for the hourly job',
      method: 'POST',
      path: '/billing/admin/backfill',
      shows: { as: 'record' },
      examples: [{ command: 'plumbline billing admin backfill', explanation: 'nothing is granted twice' }],
    },
    {
      name: 'events',
      summary: 'list what happened to the subscriptions of all accounts',
      method: 'GET',
      path: '/billing/admin/events',
      query: [
        { flags: '--type <name>', description: 'of this type, such as plan_changed' },
        { flags: '--account <id>', description: 'of this account', sends: 'orgId' },
      ],
      shows: {
        as: 'list',
        key: 'events',
        columns: { time: 'createdAt', account: 'orgId', type: 'type', by: 'actorId' },
      },
      examples: [{ command: 'plumbline billing admin events --type payment_failed', explanation: 'of everybody' }],
    },
    {
      name: 'summary',
      summary: 'show what all accounts were billed, in total and by month',
      method: 'GET',
      path: '/billing/admin/summary',
      query: [
        { flags: '--from <date>', description: 'from this day or instant on' },
        { flags: '--to <date>', description: 'up to the end of this day, or to this instant' },
      ],
      shows: { as: 'bill' },
      examples: [
        {
          command: 'plumbline billing admin summary --from 2026-01-01',
          explanation: 'without accounts with a test clock',
        },
      ],
    },
    {
      name: 'kept-invoices',
      summary: 'list the invoices of deleted accounts',
      method: 'GET',
      path: '/billing/admin/kept-invoices',
      query: [{ flags: '--account <id>', description: 'of this account', sends: 'accountId' }],
      shows: {
        as: 'list',
        key: 'invoices',
        columns: {
          drawn: 'invoice.createdAt',
          customer: 'customerName',
          'total, cents': 'invoice.totalCents',
          'kept until': 'keptUntil',
          id: 'invoice.id',
        },
      },
      examples: [{ command: 'plumbline billing admin kept-invoices', explanation: 'for ten years' }],
    },
  ],
  groups: [subscriptions, credits, entitlements, discounts, promotions, webhooks, calls],
}

const ownClock = {
  sends: 'id',
  path: '/billing/clocks',
  at: 'clocks.0.id',
  otherwise: ['the account has no test clock', 'create one with `plumbline billing clock create`'],
} as const

const clock: ActionGroup = {
  name: 'clock',
  summary: 'the test clock of a sandbox account',
  examples: [{ command: 'plumbline billing clock create trial-run', explanation: 'before the first subscription' }],
  actions: [
    {
      name: 'create',
      summary: 'give the account a test clock, before its first subscription',
      method: 'POST',
      path: '/billing/clocks',
      arguments: [{ syntax: '<name>', description: 'what to call it', means: 'body', sends: 'name' }],
      shows: { as: 'record', key: 'clock' },
      examples: [{ command: 'plumbline billing clock create trial-run', explanation: 'nothing is charged by it' }],
    },
    {
      name: 'show',
      summary: 'show the clock of the account',
      method: 'GET',
      path: '/billing/clocks',
      shows: {
        as: 'rows',
        key: 'clocks',
        columns: { id: 'id', name: 'name', now: 'now', fails: 'failsFrom', until: 'failsUntil' },
      },
      examples: [{ command: 'plumbline billing clock show', explanation: 'where it stands' }],
    },
    {
      name: 'advance',
      summary: 'advance the clock: renewals, pending changes and ends happen in order',
      method: 'POST',
      path: '/billing/clocks/{id}/advance',
      current: ownClock,
      body: [{ flags: '--to <instant>', description: 'the new time of the clock', isInstant: true }],
      shows: { as: 'record', key: 'clock' },
      examples: [{ command: 'plumbline billing clock advance --to 2028-01-01', explanation: 'a year in one command' }],
    },
    {
      name: 'fail-payments',
      summary: 'let payments of the account fail for a while, or go through again',
      method: 'POST',
      path: '/billing/clocks/{id}/fail-payments',
      current: ownClock,
      body: [
        { flags: '--from <instant>', description: 'start of the failures; by default, now', isInstant: true },
        {
          flags: '--until <instant>',
          description: 'end of the failures, when due payments are made; by default, never',
          isInstant: true,
        },
        {
          flags: '--off',
          description: 'they go through again, and what is due is paid',
          sends: 'failing',
          value: false,
        },
      ],
      shows: { as: 'record', key: 'clock' },
      examples: [
        {
          command: 'plumbline billing clock fail-payments --from 2028-02-01',
          explanation: 'then advance: declines, mails, grace and the end',
        },
        { command: 'plumbline billing clock fail-payments --off', explanation: 'what is due is paid at once' },
      ],
    },
    {
      name: 'delete',
      summary: 'delete the clock with everything that happened by it; asks for your password',
      method: 'DELETE',
      path: '/billing/clocks/{id}',
      arguments: [id('clock')],
      asksFirst: true,
      shows: { as: 'record' },
      examples: [{ command: 'plumbline billing clock delete 0190…', explanation: 'the account is as before' }],
    },
  ],
}

const threshold: Flag = {
  flags: '--threshold-cents <number>',
  description: 'the threshold, in US cents',
  integer: { min: 0, max: 100_000_000_000 },
}

const alerts: ActionGroup = {
  name: 'alerts',
  summary: 'alerts about the spending of the account; each notifies once a period and blocks nothing',
  examples: [
    {
      command: 'plumbline billing alerts create next_invoice_over --threshold-cents 50000',
      explanation: 'when the next invoice is above $500',
    },
  ],
  actions: [
    {
      name: 'list',
      summary: 'list alerts, and when each notified last',
      method: 'GET',
      path: '/billing/alerts',
      shows: {
        as: 'list',
        key: 'alerts',
        columns: { id: 'id', kind: 'kind', 'threshold, cents': 'thresholdCents', told: 'lastToldAt' },
      },
      examples: [{ command: 'plumbline billing alerts list', explanation: 'those of the account' }],
    },
    {
      name: 'create',
      summary: 'add an alert: next_invoice_over, period_spend_over or credit_below',
      method: 'POST',
      path: '/billing/alerts',
      arguments: [{ syntax: '<kind>', description: 'the figure to watch', means: 'body', sends: 'kind' }],
      body: [threshold],
      shows: { as: 'record', key: 'alert' },
      examples: [
        {
          command: 'plumbline billing alerts create credit_below --threshold-cents 1000',
          explanation: 'by inbox and e-mail',
        },
      ],
    },
    {
      name: 'edit',
      summary: 'change the threshold of an alert',
      method: 'PUT',
      path: '/billing/alerts/{id}',
      arguments: [id('alert')],
      body: [threshold],
      shows: { as: 'record', key: 'alert' },
      examples: [
        {
          command: 'plumbline billing alerts edit 0190… --threshold-cents 75000',
          explanation: 'it can notify again in this period',
        },
      ],
    },
    {
      name: 'delete',
      summary: 'delete an alert',
      method: 'DELETE',
      path: '/billing/alerts/{id}',
      arguments: [id('alert')],
      asksFirst: true,
      shows: { as: 'record' },
      examples: [{ command: 'plumbline billing alerts delete 0190…', explanation: 'it no longer notifies' }],
    },
  ],
}

export const billingGroups: readonly ActionGroup[] = [addons, alerts, clock, admin]
