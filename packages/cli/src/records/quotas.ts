/** The commands of quotas (spec platform 12.4). */
import type { Action, Resource } from './resource.js'

const organization = {
  syntax: '<organization>',
  description: 'id of the organization',
  means: 'path',
  sends: 'orgId',
} as const

const actions: readonly Action[] = [
  {
    name: 'get',
    summary: 'show limits and usage of an organization',
    method: 'GET',
    path: '/quotas/{orgId}',
    arguments: [
      { ...organization, syntax: '[organization]', description: 'id of the organization; your own when left out' },
    ],
    shows: {
      as: 'members',
      key: 'quota',
      rows: 'quotas',
      nameAs: 'type',
      columns: { type: 'type', used: 'used', limit: 'limit', left: 'remaining', resets: 'resetAt' },
      unlimited: ['limit', 'remaining'],
    },
    examples: [
      { command: 'plumbline quotas get', explanation: 'all types, with what is left' },
      { command: 'plumbline quotas get --format yaml', explanation: 'the record as the server has it' },
    ],
  },
  {
    name: 'type',
    summary: 'show one quota of an organization',
    method: 'GET',
    path: '/quotas/{orgId}/{type}',
    arguments: [organization, { syntax: '<type>', description: 'such as pipelines', means: 'path', sends: 'type' }],
    shows: { as: 'record' },
    examples: [{ command: 'plumbline quotas type 0190… pipelines', explanation: 'limit, usage and what is left' }],
  },
  {
    name: 'list',
    summary: 'list the quotas of all organizations, as a system administrator',
    method: 'GET',
    path: '/quotas/all',
    shows: {
      as: 'list',
      key: 'organizations',
      columns: {
        organization: 'slug',
        tier: 'tier',
        pipelines: 'quotas.pipelines.used',
        'of pipelines': 'quotas.pipelines.limit',
        plugins: 'quotas.plugins.used',
        'of plugins': 'quotas.plugins.limit',
        id: 'orgId',
      },
    },
    examples: [{ command: 'plumbline quotas list --all', explanation: 'of every account' }],
  },
  {
    name: 'at-risk',
    summary: 'list quotas that are nearly used up, as a system administrator',
    method: 'GET',
    path: '/quotas/at-risk',
    query: [
      {
        flags: '--threshold <percent>',
        description: 'only quotas that are used at least this far',
        integer: { min: 1, max: 100 },
      },
      { flags: '--type <name>', description: 'of this type' },
      { flags: '--limit <number>', description: 'list at most this many', integer: { min: 1, max: 1000 } },
      { flags: '--offset <number>', description: 'skip this many', integer: { min: 0 } },
    ],
    shows: {
      as: 'rows',
      key: 'atRisk',
      columns: {
        organization: 'slug',
        tier: 'tier',
        type: 'type',
        used: 'used',
        limit: 'limit',
        percent: 'percent',
        id: 'orgId',
      },
    },
    examples: [
      { command: 'plumbline quotas at-risk --threshold 90', explanation: 'the organizations that will reach a limit' },
    ],
  },
  {
    name: 'set',
    summary: 'set tier or limits of an account, as a system administrator',
    method: 'PUT',
    path: '/quotas/{orgId}',
    arguments: [organization],
    body: [
      {
        flags: '--tier <name>',
        description: 'the tier',
      },
      {
        flags: '--limit <type=number>',
        description: 'a limit that replaces that of the tier; -1 is unlimited, `null` removes it',
        sends: 'quotas',
        isPairs: true,
        areNumbers: true,
        repeatable: true,
      },
      { flags: '--force', description: 'even below the current usage' },
    ],
    bodyFile: { description: 'the change from a file', isRequired: false },
    shows: { as: 'record', key: 'quota' },
    examples: [
      { command: 'plumbline quotas set 0190… --limit pipelines=500', explanation: 'more than the tier gives' },
    ],
  },
  {
    name: 'reset',
    summary: 'reset metered usage to zero and count capacity again; asks for your password',
    method: 'POST',
    path: '/quotas/{orgId}/reset',
    arguments: [organization],
    body: [{ flags: '--type <name>', description: 'only this type', sends: 'quotaType' }],
    shows: { as: 'record', key: 'quota' },
    examples: [{ command: 'plumbline quotas reset 0190… --type apiCalls', explanation: 'one type' }],
  },
]

export const quotas: Resource = {
  name: 'quotas',
  one: 'quota',
  summary: 'show limits and usage, and set them as a system administrator',
  path: '/quotas',
  listKey: 'organizations',
  key: {
    argument: { syntax: '<organization>', description: 'id of the organization' },
    example: '0190…',
    fields: ['orgId'],
    separator: '/',
  },
  columns: {},
  filters: [],
  actions,
  examples: [{ command: 'plumbline quotas get', explanation: 'what your organization has used and may use' }],
}
