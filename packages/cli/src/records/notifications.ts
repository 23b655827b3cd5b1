/** The commands of compliance notifications, their webhook, and compliance roles (spec compliance 12, 14). */
import type { Action, Columns, Flag, Resource } from './resource.js'

const PREFERENCES = '/compliance/notification-preferences'
const LOG = '/compliance/notification-log'

const preference = { as: 'record', key: 'preference' } as const

const columns: Columns = {
  at: 'createdAt',
  event: 'event',
  channel: 'channel',
  status: 'status',
  attempt: 'attempt',
  code: 'responseCode',
  error: 'error',
  next: 'nextRetryAt',
  id: 'id',
}

const filters: readonly Flag[] = [
  {
    flags: '--event <name>',
    description: 'of this event',
  },
  { flags: '--channel <name>', description: 'by this channel' },
  { flags: '--status <name>', description: 'with this result' },
  { flags: '--delivery <id>', description: 'of this delivery', sends: 'deliveryId' },
]

/**
 * The webhook secret is never shown. It comes from a file or from standard input, so that it is not in the history of a
 * shell.
 */
const withSecret = { description: 'fields from a file, such as `webhookSecret: …`', isRequired: false }

const showPreferences: Action = {
  name: 'preferences',
  summary: 'show how the organization is notified',
  method: 'GET',
  path: PREFERENCES,
  shows: preference,
  examples: [{ command: 'plumbline notifications preferences', explanation: 'the defaults when nothing was set' }],
}

const actions: readonly Action[] = [
  showPreferences,
  {
    name: 'set',
    summary: 'set how the organization is notified; fields that are not given stay',
    method: 'PUT',
    path: PREFERENCES,
    body: [
      { flags: '--warnings', description: 'notify about warnings too', sends: 'notifyOnWarning' },
      {
        flags: '--without-warnings',
        description: 'notify only about blocked changes',
        sends: 'notifyOnWarning',
        value: false,
        conflicts: ['warnings'],
      },
      { flags: '--email', description: 'send e-mails', sends: 'emailEnabled' },
      {
        flags: '--without-email',
        description: 'send no e-mails',
        sends: 'emailEnabled',
        value: false,
        conflicts: ['email'],
      },
      {
        flags: '--digest <window>',
        description: 'at once, or gathered',
        sends: 'digestMode',
      },
    ],
    bodyFile: { description: 'fields from a file, such as `targetUsers: [0190…]`', isRequired: false },
    shows: preference,
    examples: [
      { command: 'plumbline notifications set --warnings --email', explanation: 'warnings too, and by e-mail' },
      { command: 'plumbline notifications set --digest daily', explanation: 'one message a day' },
    ],
  },
  {
    name: 'deliveries',
    summary: 'list the attempts to notify the organization, the newest first',
    method: 'GET',
    path: LOG,
    query: filters,
    shows: { as: 'list', key: 'entries', columns },
    examples: [
      { command: 'plumbline notifications deliveries --status failed', explanation: 'what did not arrive' },
      {
        command: 'plumbline notifications deliveries --channel webhook --all --format json',
        explanation: 'for a program',
      },
    ],
  },
  {
    name: 'replay',
    summary: 'send a delivery again by the same channel, under the same delivery id',
    method: 'POST',
    path: `${LOG}/{id}/replay`,
    arguments: [
      { syntax: '<entry>', description: 'id of any attempt, as `deliveries` shows it', means: 'path', sends: 'id' },
    ],
    shows: { as: 'record' },
    examples: [{ command: 'plumbline notifications replay 0190…', explanation: 'after the receiver was fixed' }],
  },
  {
    ...showPreferences,
    name: 'webhook',
    summary: 'show the webhook; its secret is never shown',
    examples: [{ command: 'plumbline notifications webhook', explanation: '`webhookUrl` and `hasWebhookSecret`' }],
  },
  {
    name: 'set-webhook',
    summary: 'set the address of the webhook, and the secret that signs its deliveries',
    description:
      'The secret (8 to 255 characters) comes from a file or from standard input, so that it stays out of the history of the shell. A change of host without a new secret clears the old one.',
    method: 'PUT',
    path: PREFERENCES,
    body: [
      {
        flags: '--address <url>',
        description: 'https; http only for hosts that the operator allows',
        sends: 'webhookUrl',
      },
    ],
    bodyFile: withSecret,
    shows: preference,
    examples: [
      {
        command:
          'echo "webhookSecret: $SECRET" | plumbline notifications set-webhook --address https://hooks.example.com/in --file -',
        explanation: 'every delivery is signed from then on',
      },
    ],
  },
  {
    name: 'test-webhook',
    summary: 'send a test notification to the webhook, once',
    description:
      'The server signs and sends it like every delivery, and does not retry it. `plumbline notifications deliveries --delivery ID` shows the outcome.',
    method: 'POST',
    path: `${PREFERENCES}/test`,
    shows: { as: 'record' },
    examples: [{ command: 'plumbline notifications test-webhook', explanation: 'the event is `notification.test`' }],
  },
  {
    name: 'remove-webhook',
    summary: 'remove the webhook and its secret',
    method: 'PUT',
    path: PREFERENCES,
    sends: { webhookUrl: null, webhookSecret: null },
    shows: { as: 'note', text: 'removed' },
    examples: [{ command: 'plumbline notifications remove-webhook', explanation: 'nothing is sent any more' }],
  },
]

const none = { argument: { syntax: '<entry>', description: 'id' }, example: '0190…', fields: ['id'], separator: '/' }

export const notifications: Resource = {
  name: 'notifications',
  one: 'entry',
  summary: 'set how an organization is notified, set its webhook, and list what was delivered',
  path: LOG,
  listKey: 'entries',
  key: none,
  columns,
  filters,
  hasOwnActions: true,
  actions,
  examples: [
    { command: 'plumbline notifications set --warnings', explanation: 'warnings too' },
    { command: 'plumbline notifications deliveries', explanation: 'every attempt' },
  ],
}

const person = { syntax: '<user>', description: 'id of the member', means: 'path', sends: 'userId' } as const

export const complianceRoles: Resource = {
  name: 'compliance-roles',
  one: 'role',
  summary: 'list and grant compliance roles, which add to the Roles of a member',
  path: '/compliance/roles',
  listKey: 'roles',
  key: { argument: person, example: '0190…', fields: ['userId'], separator: '/' },
  columns: { user: 'userId', role: 'role', by: 'grantedBy', since: 'updatedAt' },
  filters: [],
  hasOwnActions: true,
  actions: [
    {
      name: 'list',
      summary: 'list the members with a compliance role',
      method: 'GET',
      path: '/compliance/roles',
      shows: {
        as: 'list',
        key: 'roles',
        columns: { user: 'userId', role: 'role', by: 'grantedBy', since: 'updatedAt' },
      },
      examples: [{ command: 'plumbline compliance-roles list', explanation: 'viewers, editors and admins' }],
    },
    {
      name: 'grant',
      summary: 'grant a member a compliance role in place of the current one',
      method: 'PUT',
      path: '/compliance/roles/{userId}',
      arguments: [person, { syntax: '<role>', description: 'viewer, editor or admin', means: 'body', sends: 'role' }],
      shows: { as: 'record', key: 'role' },
      examples: [
        {
          command: 'plumbline compliance-roles grant 0190… editor',
          explanation: 'writes rules, but approves no exemptions',
        },
      ],
    },
    {
      name: 'revoke',
      summary: 'take the compliance role from a member',
      method: 'DELETE',
      path: '/compliance/roles/{userId}',
      arguments: [person],
      shows: { as: 'note', text: 'taken' },
      examples: [{ command: 'plumbline compliance-roles revoke 0190…', explanation: 'their Roles stay' }],
    },
  ],
  examples: [
    { command: 'plumbline compliance-roles grant 0190… admin', explanation: 'runs compliance, not the organization' },
  ],
}
