/** Subscriptions to published rules, by the names of their rules (spec compliance 6). */
import type { Action, Resource } from './resource.js'
import { catalog, enforced, subscriptionActions, subscriptionList, trials } from './rules.js'

const rule = {
  syntax: '<rule>',
  description: 'id, or name, of the published rule',
  means: 'key',
  sends: 'ruleId',
  of: [catalog],
} as const

const toggle = (name: 'activate' | 'deactivate', summary: string, isActive: boolean): Action => ({
  name,
  summary,
  method: 'PATCH',
  path: '/compliance/subscriptions/{ruleId}',
  arguments: [rule],
  sends: { isActive },
  shows: { as: 'record', key: 'subscription' },
  examples: [{ command: `plumbline subscriptions ${name} no-root`, explanation: 'from now on' }],
})

/** The commands take names of rules in the catalogue of published rules. */
const shared = subscriptionActions.map(
  (action): Action => ({
    ...action,
    arguments: (action.arguments ?? []).map((argument) => ({ ...argument, of: [catalog] })),
  }),
)

export const subscriptions: Resource = {
  name: 'subscriptions',
  one: 'subscription',
  summary: 'subscribe to published rules, switch them on and off, pin them, and choose how they are enforced',
  path: '/compliance/subscriptions',
  key: catalog.key,
  isListedOnly: true,
  columns: {},
  filters: [],
  actions: [
    {
      ...subscriptionList,
      name: 'list',
      examples: [{ command: 'plumbline subscriptions list --active true', explanation: 'only active ones' }],
    },
    toggle('activate', 'switch a subscribed rule on', true),
    toggle('deactivate', 'switch a subscribed rule off', false),
    ...shared,
    enforced('subscriptions'),
    ...trials('subscriptions', [catalog]),
  ],
  examples: [
    { command: 'plumbline subscriptions subscribe no-root', explanation: 'inactive at first' },
    { command: 'plumbline subscriptions activate no-root', explanation: 'from now on it is enforced' },
  ],
}
