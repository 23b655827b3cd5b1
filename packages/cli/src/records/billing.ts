/**
 * The commands of the subscription of an account. `plumbline billing` has further ones that need no server, such as
 * `quote`.
 */
import { VOCABULARY } from '../api-facts.js'
import type { Action, ActionArgument, Current, Flag, Resource } from './resource.js'

const plan: Flag = { flags: '--plan <plan>', description: 'the plan', sends: 'planId' }
const interval: Flag = { flags: '--interval <interval>', description: 'billing interval' }
const when: Flag = {
  flags: '--when <moment>',
  description: 'at once, or with the next period; another interval begins with the next period',
}
const subscription: ActionArgument = {
  syntax: '[subscription]',
  description: 'id of the subscription; the live one of your account when left out',
  means: 'path',
  sends: 'id',
}

/** The subscription that the account has. */
export const live: Current = {
  sends: 'id',
  path: '/billing/subscription',
  at: 'subscription.id',
  otherwise: ['the account has no subscription', 'buy one with `plumbline billing subscribe`'],
}

/** `--addon seat_pack=2`, as often as there are add-ons. */
export const addon: Flag = {
  flags: '--addon <bundle=quantity>',
  description: 'an add-on and its new quantity: 1 when left out, 0 removes it',
  repeatable: true,
  sends: 'addons',
  asList: { name: 'bundleId', count: 'quantity' },
}

const range: readonly Flag[] = [
  { flags: '--from <date>', description: 'from this day or instant on' },
  { flags: '--to <date>', description: 'up to the end of this day, or to this instant' },
]

const actions: readonly Action[] = [
  {
    name: 'plans',
    summary: 'list the plans that are sold',
    method: 'GET',
    path: '/billing/plans',
    shows: {
      as: 'rows',
      key: 'plans',
      columns: { plan: 'id', name: 'name', 'monthly, cents': 'prices.monthly', 'annual, cents': 'prices.annual' },
    },
    examples: [{ command: 'plumbline billing plans', explanation: 'what there is, and what it costs' }],
  },
  {
    name: 'show',
    summary: 'show the subscription of your account',
    method: 'GET',
    path: '/billing/subscription',
    shows: { as: 'record', key: 'subscription' },
    examples: [{ command: 'plumbline billing show', explanation: 'plan, period, credit, what is to change' }],
  },
  {
    name: 'subscribe',
    summary: 'subscribe your account to a plan',
    method: 'POST',
    path: '/billing/subscriptions',
    arguments: [{ syntax: '<plan>', description: VOCABULARY.plan.join(', '), means: 'body', sends: 'planId' }],
    body: [interval, { flags: '--referral-code <id>', description: 'id of the organization that referred you' }],
    shows: { as: 'record', key: 'subscription' },
    examples: [
      { command: 'plumbline billing subscribe pro', explanation: 'its limits apply from the next request on' },
    ],
  },
  {
    name: 'preview',
    summary: 'show what subscribing, or a change of plan, would cost and do',
    description: 'Every cent has a line, and every line its reason. Nothing is changed.',
    method: 'POST',
    path: '/billing/preview',
    body: [plan, interval, when, addon],
    shows: { as: 'record', key: 'preview' },
    examples: [
      { command: 'plumbline billing preview --plan team', explanation: 'what is invoiced at once, and next' },
      { command: 'plumbline billing preview --interval annual', explanation: 'from the next period on' },
    ],
  },
  {
    name: 'change',
    summary: 'change plan or interval',
    method: 'PUT',
    path: '/billing/subscriptions/{id}',
    arguments: [subscription],
    current: live,
    body: [
      plan,
      interval,
      when,
      addon,
      {
        flags: '--preview-token <token>',
        description: 'token of a preview: the change costs what the preview showed, or is refused',
      },
    ],
    shows: { as: 'record', key: 'subscription' },
    examples: [
      { command: 'plumbline billing change --plan team', explanation: 'at once, invoiced by the second' },
      { command: 'plumbline billing change --interval annual', explanation: 'with the next period' },
    ],
  },
  {
    name: 'drop-change',
    summary: 'cancel a change that waits for the next period',
    method: 'DELETE',
    path: '/billing/subscriptions/{id}/pending-change',
    arguments: [subscription],
    current: live,
    shows: { as: 'record', key: 'subscription' },
    examples: [{ command: 'plumbline billing drop-change', explanation: 'everything stays as it is' }],
  },
  {
    name: 'cancel',
    summary: 'end the subscription with its period; asks for your password',
    method: 'POST',
    path: '/billing/subscriptions/{id}/cancel',
    arguments: [subscription],
    current: live,
    asksFirst: true,
    shows: { as: 'record', key: 'subscription' },
    examples: [{ command: 'plumbline billing cancel', explanation: 'until then it can be reactivated' }],
  },
  {
    name: 'reactivate',
    summary: 'reactivate a subscription that would end with its period',
    method: 'POST',
    path: '/billing/subscriptions/{id}/reactivate',
    arguments: [subscription],
    current: live,
    shows: { as: 'record', key: 'subscription' },
    examples: [{ command: 'plumbline billing reactivate', explanation: 'it renews as before' }],
  },
  {
    name: 'redeem',
    summary: 'redeem a discount code',
    description: 'The code is a token or an alias.',
    method: 'POST',
    path: '/billing/subscriptions/{id}/discounts',
    arguments: [{ syntax: '<code>', description: 'a token or an alias', means: 'body', sends: 'code' }],
    current: live,
    shows: { as: 'record' },
    examples: [{ command: 'plumbline billing redeem SPRING', explanation: 'the next invoice uses the credit' }],
  },
  {
    name: 'redeem-preview',
    summary: 'show what a discount code is worth; nothing is redeemed',
    method: 'POST',
    path: '/billing/subscriptions/{id}/discounts/preview',
    arguments: [{ syntax: '<code>', description: 'a token or an alias', means: 'body', sends: 'code' }],
    current: live,
    shows: { as: 'record' },
    examples: [{ command: 'plumbline billing redeem-preview SPRING', explanation: 'cents, and the price with them' }],
  },
  {
    name: 'drop-discount',
    summary: 'end the standing discount; credit that was granted stays',
    method: 'DELETE',
    path: '/billing/subscriptions/{id}/discounts/{discountId}',
    arguments: [{ syntax: '<discount>', description: 'id of the discount', means: 'path', sends: 'discountId' }],
    current: live,
    asksFirst: true,
    shows: { as: 'record' },
    examples: [{ command: 'plumbline billing drop-discount 0190…', explanation: 'no credit with the next period' }],
  },
  {
    name: 'portal',
    summary: "open the provider's page for payment method and invoices",
    method: 'POST',
    path: '/billing/portal',
    shows: { as: 'record' },
    examples: [{ command: 'plumbline billing portal', explanation: 'a link for you alone, valid for some minutes' }],
  },
  {
    name: 'claim',
    summary: 'take over a purchase at a marketplace',
    description: 'You become the owner of the organization that was made for it, or it moves to one that you own.',
    method: 'POST',
    path: '/billing/marketplace/claim',
    arguments: [
      { syntax: '<token>', description: 'the claim token that the page showed', means: 'body', sends: 'token' },
    ],
    body: [
      {
        flags: '--into <organization>',
        description: 'id of an organization of yours without a live subscription',
        sends: 'orgId',
      },
    ],
    shows: { as: 'record' },
    examples: [{ command: 'plumbline billing claim mpc_…', explanation: 'once, and within a day of the purchase' }],
  },
  {
    name: 'next-invoice',
    summary: 'show the next invoice, as it is or after a change',
    method: 'GET',
    path: '/billing/invoices/next',
    query: [
      plan,
      interval,
      { flags: '--addons <list>', description: 'with these add-ons instead: seat_pack:2,api_pack' },
      { flags: '--cancel', description: 'as if the subscription ended with the period' },
    ],
    shows: { as: 'record', key: 'invoice' },
    examples: [
      { command: 'plumbline billing next-invoice', explanation: 'lines, credit, total, when it is due' },
      { command: 'plumbline billing next-invoice --addons seat_pack:2', explanation: 'what if' },
    ],
  },
  {
    name: 'invoices',
    summary: 'list the invoices of your account',
    method: 'GET',
    path: '/billing/invoices',
    shows: {
      as: 'list',
      key: 'invoices',
      columns: {
        created: 'createdAt',
        period: 'periodStart',
        'total, cents': 'totalCents',
        'credit, cents': 'creditCents',
        status: 'status',
        id: 'id',
      },
    },
    examples: [{ command: 'plumbline billing invoices --all', explanation: 'all invoices' }],
  },
  {
    name: 'invoice',
    summary: 'show one invoice, line by line',
    method: 'GET',
    path: '/billing/invoices/{id}',
    arguments: [{ syntax: '<invoice>', description: 'id of the invoice', means: 'path', sends: 'id' }],
    shows: { as: 'record', key: 'invoice' },
    examples: [{ command: 'plumbline billing invoice 0190…', explanation: 'each line with its reason' }],
  },
  {
    name: 'summary',
    summary: 'show what your account was billed, in total and by month',
    method: 'GET',
    path: '/billing/summary',
    query: range,
    shows: { as: 'bill' },
    examples: [{ command: 'plumbline billing summary --from 2026-01-01', explanation: 'since the new year' }],
  },
  {
    name: 'allocation',
    summary: 'split the bill over the teams of your account',
    method: 'GET',
    path: '/billing/summary/allocation',
    query: [...range, { flags: '--driver <name>', description: 'split by seats, or by a limit such as pipelines' }],
    shows: {
      as: 'rows',
      key: 'shares',
      columns: { organization: 'name', weight: 'weight', 'share, cents': 'cents', id: 'orgId' },
    },
    examples: [{ command: 'plumbline billing allocation', explanation: 'by members; the shares sum to the bill' }],
  },
  {
    name: 'usage-by-team',
    summary: 'show what each team of your account uses',
    method: 'GET',
    path: '/billing/summary/usage-by-team',
    shows: {
      as: 'rows',
      key: 'teams',
      columns: {
        organization: 'name',
        members: 'members',
        pipelines: 'used.pipelines',
        plugins: 'used.plugins',
        'API calls': 'used.apiCalls',
        'AI calls': 'used.aiCalls',
        id: 'orgId',
      },
    },
    examples: [{ command: 'plumbline billing usage-by-team', explanation: 'with the feature team_usage_analytics' }],
  },
  {
    name: 'usage',
    summary: 'show how much your account uses of each limit that it pays for',
    method: 'GET',
    path: '/billing/usage',
    shows: {
      as: 'rows',
      key: 'usage',
      columns: { what: 'type', used: 'used', limit: 'limit', percent: 'percent', 'raised by': 'raisedBy' },
    },
    examples: [{ command: 'plumbline billing usage', explanation: 'and the add-ons that raise a limit' }],
  },
  {
    name: 'events',
    summary: 'list what happened to the subscription of your account',
    method: 'GET',
    path: '/billing/events',
    query: [{ flags: '--type <name>', description: 'of this type, such as plan_changed' }],
    shows: {
      as: 'list',
      key: 'events',
      columns: { time: 'createdAt', type: 'type', by: 'actorId' },
    },
    examples: [{ command: 'plumbline billing events', explanation: 'the newest first' }],
  },
]

export const billing: Resource = {
  name: 'billing',
  one: 'subscription',
  summary: 'the subscription of the account',
  path: '/billing',
  key: {
    argument: { syntax: '<subscription>', description: 'id of the subscription' },
    example: '0190…',
    fields: ['id'],
    separator: '/',
  },
  columns: {},
  filters: [],
  hasOwnActions: true,
  actions,
  examples: [{ command: 'plumbline billing show', explanation: 'what the account has' }],
}
