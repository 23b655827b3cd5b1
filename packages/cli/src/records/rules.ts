/** The commands of rules, the published catalogue and subscriptions (spec compliance 1, 6, 16). */
import { checkFilters } from './finding/filters.js'
import type { Action, Columns, Flag, Resource } from './resource.js'
import { removalActions } from './shared.js'

const columns: Columns = {
  name: 'name',
  target: 'target',
  severity: 'severity',
  mode: 'mode',
  active: 'isActive',
  version: 'version',
  updated: 'updatedAt',
  id: 'id',
}

const argument = { syntax: '<rule>', description: 'id, or name' }
const targetFlag: Flag = {
  flags: '--target <kind>',
  description: 'for this kind of entity',
}

const filters: readonly Flag[] = [
  { flags: '--name <text>', description: 'whose name contains this' },
  targetFlag,
  { flags: '--severity <name>', description: 'with this severity' },
  { flags: '--tag <word>', description: 'with this tag' },
]

const asOfFlag: Flag = {
  flags: '--as-of <instant>',
  description: 'by the rules in force at this ISO 8601 instant of the past',
  isInstant: true,
}

/** `rules enforced`. The same action is used below `subscriptions`. */
export const enforced = (command: string): Action => ({
  name: 'enforced',
  summary: 'list every rule that is enforced for the organization, now or at an instant in the past',
  method: 'GET',
  path: '/compliance/subscriptions/enforced',
  query: [targetFlag, asOfFlag],
  shows: {
    as: 'rows',
    key: 'rules',
    columns: {
      name: 'name',
      target: 'target',
      severity: 'severity',
      mode: 'mode',
      source: 'source',
      pinned: 'pinned',
      version: 'version',
      id: 'id',
    },
  },
  examples: [
    { command: `plumbline ${command} enforced`, explanation: 'own, inherited and subscribed ones' },
    { command: `plumbline ${command} enforced --as-of 2026-11-01`, explanation: 'the rules of that day' },
  ],
})

/** Tries a rule on attributes, and on the inventory. */
export const trials = (command: string, of?: readonly Resource[]): Action[] => {
  const tried = {
    syntax: '[rule]',
    description: 'id or name; leave it out for a draft in --file',
    means: 'bodyKey',
    sends: 'ruleId',
    ...(of === undefined ? {} : { of }),
  } as const
  return [
    {
      name: 'preview',
      summary: 'try a rule, or a draft, with attributes',
      method: 'POST',
      path: '/compliance/subscriptions/preview',
      arguments: [tried],
      body: [],
      bodyFile: { description: '`sampleAttributes`, and for a draft `rule`', isRequired: false },
      shows: { as: 'record' },
      examples: [
        {
          command: `plumbline ${command} preview no-root --file sample.yaml`,
          explanation: 'the verdict; nothing is stored',
        },
      ],
    },
    {
      name: 'impact',
      summary: 'count the stored entities that a rule, or a draft, would fail',
      method: 'POST',
      path: '/compliance/subscriptions/preview/impact',
      arguments: [tried],
      body: [asOfFlag],
      bodyFile: { description: 'a draft, below `rule`', isRequired: false },
      shows: { as: 'record' },
      examples: [
        { command: `plumbline ${command} impact no-root`, explanation: 'before it is switched on' },
        { command: `plumbline ${command} impact no-root --as-of 2026-11-01`, explanation: 'with the rule of that day' },
      ],
    },
  ]
}

const named = {
  name: 'rules',
  one: 'rule',
  path: '/compliance/rules',
  listKey: 'rules',
  argument,
  example: 'no-root',
  columns,
}

export const rules: Resource = {
  name: 'rules',
  one: 'rule',
  summary: 'list, show, apply, delete and restore the rules of an organization on a server',
  path: '/compliance/rules',
  key: { argument, example: 'no-root', fields: ['name'], separator: '/' },
  columns,
  filters: [
    ...filters,
    {
      flags: '--active <which>',
      description: 'active ones, inactive ones, or all',
      sends: 'isActive',
    },
  ],
  actions: [
    {
      name: 'history',
      summary: 'list the changes of a rule',
      method: 'GET',
      path: '/compliance/rules/{id}/history',
      arguments: [{ ...argument, means: 'key', sends: 'id' }],
      shows: {
        as: 'list',
        key: 'history',
        columns: { version: 'version', change: 'changeType', at: 'changedAt', by: 'changedBy' },
      },
      examples: [{ command: 'plumbline rules history no-root', explanation: 'who changed it, and when' }],
    },
    enforced('rules'),
    {
      name: 'checks',
      summary: 'list the check log, the newest first',
      method: 'GET',
      path: '/compliance/audit',
      query: checkFilters,
      shows: {
        as: 'list',
        key: 'entries',
        columns: {
          at: 'createdAt',
          target: 'target',
          entity: 'entityName',
          action: 'action',
          result: 'result',
          id: 'id',
        },
      },
      examples: [
        { command: 'plumbline rules checks --target plugin', explanation: 'of plugins' },
        { command: 'plumbline rules checks --result block --from 2026-11-01', explanation: 'blocked since then' },
      ],
    },
    {
      name: 'now',
      summary: 'list the findings of all records, as of the last check of each',
      method: 'GET',
      path: '/compliance/findings',
      query: [
        { flags: '--state <name>', description: 'in this state' },
        { flags: '--severity <name>', description: 'of this severity' },
        { flags: '--target <kind>', description: 'of this kind of entity' },
        { flags: '--rule <id>', description: 'of this rule', sends: 'ruleId' },
        { flags: '--entity <id>', description: 'of this record', sends: 'entityId' },
      ],
      shows: {
        as: 'list',
        key: 'findings',
        columns: {
          state: 'state',
          severity: 'severity',
          rule: 'ruleName',
          target: 'target',
          entity: 'entityName',
          since: 'since',
        },
      },
      examples: [{ command: 'plumbline rules now --state open', explanation: 'what counts now' }],
    },
    {
      name: 'coverage',
      summary: 'count the findings of each rule by state, as of the last check of each record',
      method: 'GET',
      path: '/compliance/rules/coverage',
      shows: {
        as: 'rows',
        key: 'rules',
        columns: {
          name: 'ruleName',
          target: 'target',
          mode: 'mode',
          open: 'open',
          requested: 'requested',
          exempted: 'exempted',
          id: 'ruleId',
        },
      },
      examples: [{ command: 'plumbline rules coverage', explanation: 'rules in force, and own rules' }],
    },
    ...trials('rules'),
    ...removalActions(named),
  ],
  examples: [
    { command: 'plumbline rules list --severity critical', explanation: 'only critical rules' },
    { command: 'plumbline rules apply rules/', explanation: 'creates and updates them' },
    { command: 'plumbline rules enforced --target plugin', explanation: 'the rules that plugins are checked against' },
  ],
}

const ruleId = {
  syntax: '<rule>',
  description: 'id, or name, of the published rule',
  means: 'key',
  sends: 'ruleId',
} as const
const subscription = { as: 'record', key: 'subscription' } as const

/** The subscriptions with their rules. */
export const subscriptionList: Omit<Action, 'name' | 'examples'> = {
  summary: 'list the subscriptions of the organization',
  method: 'GET',
  path: '/compliance/subscriptions',
  query: [targetFlag, { flags: '--active <which>', description: 'switched on, or off', sends: 'isActive' }],
  shows: {
    as: 'list',
    key: 'subscriptions',
    columns: {
      rule: 'rule.name',
      severity: 'rule.severity',
      active: 'isActive',
      mode: 'mode',
      pinned: 'pinnedVersion',
      since: 'subscribedAt',
      id: 'ruleId',
    },
  },
}

export const subscriptionActions: readonly Action[] = [
  {
    name: 'subscribe',
    summary: 'subscribe to a published rule; the subscription is inactive at first',
    method: 'POST',
    path: '/compliance/subscriptions',
    arguments: [{ ...ruleId, means: 'bodyKey' }],
    shows: subscription,
    examples: [
      {
        command: 'plumbline subscriptions subscribe no-root',
        explanation: '`subscriptions activate no-root` switches it on',
      },
    ],
  },
  {
    name: 'unsubscribe',
    summary: 'end the subscription to a rule',
    method: 'DELETE',
    path: '/compliance/subscriptions/{ruleId}',
    arguments: [ruleId],
    shows: { as: 'note', text: 'unsubscribed' },
    examples: [
      { command: 'plumbline subscriptions unsubscribe no-root', explanation: 'the rule is no longer enforced' },
    ],
  },
  {
    name: 'set',
    summary: 'switch a subscribed rule on or off, or set its rollout',
    method: 'PATCH',
    path: '/compliance/subscriptions/{ruleId}',
    arguments: [ruleId],
    body: [
      { flags: '--active', description: 'switch it on', sends: 'isActive' },
      { flags: '--inactive', description: 'switch it off', sends: 'isActive', value: false, conflicts: ['active'] },
      { flags: '--mode <name>', description: 'how it counts' },
      { flags: '--reason <text>', description: 'the reason; needed when the rule no longer enforces' },
    ],
    bodyFile: { description: 'the change from a file', isRequired: false },
    shows: subscription,
    examples: [
      {
        command: 'plumbline subscriptions set no-root --active --mode warn --reason "trial"',
        explanation: 'with warnings at first',
      },
    ],
  },
  {
    name: 'pin',
    summary: 'pin a subscription to the current version of its rule',
    method: 'POST',
    path: '/compliance/subscriptions/{ruleId}/pin',
    arguments: [ruleId],
    shows: subscription,
    examples: [{ command: 'plumbline subscriptions pin no-root', explanation: 'changes of the rule have no effect' }],
  },
  {
    name: 'unpin',
    summary: 'unpin a subscription: it follows its rule again',
    method: 'DELETE',
    path: '/compliance/subscriptions/{ruleId}/pin',
    arguments: [ruleId],
    shows: subscription,
    examples: [{ command: 'plumbline subscriptions unpin no-root', explanation: 'its newest version is enforced' }],
  },
  {
    name: 'clone',
    summary: 'copy a published rule into a rule of your own',
    method: 'POST',
    path: '/compliance/subscriptions/clone',
    arguments: [{ ...ruleId, means: 'bodyKey' }],
    body: [{ flags: '--name <text>', description: 'name of the copy' }],
    shows: { as: 'record', key: 'rule' },
    examples: [{ command: 'plumbline subscriptions clone no-root --name our-no-root', explanation: 'to change it' }],
  },
]

export const catalog: Resource = {
  name: 'catalog',
  one: 'rule',
  summary: 'list and show the published rules that an organization can subscribe to',
  path: '/compliance/published-rules',
  listKey: 'rules',
  key: { argument, example: 'no-root', fields: ['name'], separator: '/' },
  columns: {
    name: 'name',
    target: 'target',
    severity: 'severity',
    subscribed: 'subscribed',
    active: 'subscriptionActive',
    version: 'version',
    id: 'id',
  },
  filters,
  actions: [
    {
      name: 'get',
      summary: 'show one published rule',
      method: 'GET',
      path: '/compliance/rules/{id}',
      arguments: [{ ...argument, means: 'key', sends: 'id' }],
      shows: { as: 'record', key: 'rule' },
      examples: [{ command: 'plumbline catalog get no-root', explanation: 'as YAML' }],
    },
  ],
  examples: [
    { command: 'plumbline catalog list --tag soc2', explanation: 'published rules, and which of them are enforced' },
    { command: 'plumbline subscriptions subscribe no-root', explanation: 'to one of them; inactive at first' },
  ],
}
