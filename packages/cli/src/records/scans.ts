/** Scans and their schedules as the command line knows them (spec compliance 10). */
import type { Columns, Flag, Resource } from './resource.js'

const TARGETS = ['plugin', 'pipeline', 'all']
const targetFilter: Flag = { flags: '--target <kind>', description: 'of these records', choices: TARGETS }
const scan = { syntax: '<scan>', description: 'id of the scan', means: 'path', sends: 'id' } as const
const schedule = { syntax: '<schedule>', description: 'id of the schedule', means: 'path', sends: 'id' } as const

const scanColumns: Columns = {
  status: 'status',
  target: 'target',
  by: 'triggeredBy',
  done: 'processedEntities',
  of: 'totalEntities',
  pass: 'passCount',
  warn: 'warnCount',
  block: 'blockCount',
  created: 'createdAt',
  id: 'id',
}

export const scans: Resource = {
  name: 'scans',
  one: 'scan',
  summary: 'start, follow, list and cancel scans of the stored records',
  path: '/compliance/scans',
  key: {
    argument: { syntax: '<scan>', description: 'id of the scan' },
    example: '0190…',
    fields: ['id'],
    separator: '/',
  },
  columns: scanColumns,
  filters: [
    targetFilter,
    {
      flags: '--status <name>',
      description: 'in this state',
      choices: ['pending', 'running', 'completed', 'failed', 'cancelled'],
    },
    {
      flags: '--triggered-by <what>',
      description: 'begun by a person, a schedule or a changed rule',
      choices: ['manual', 'scheduled', 'rule-change'],
    },
  ],
  sorts: ['createdAt'],
  actions: [
    {
      name: 'get',
      summary: 'show a scan with its counts',
      method: 'GET',
      path: '/compliance/scans/{id}',
      arguments: [scan],
      shows: { as: 'record', key: 'scan' },
      examples: [{ command: 'plumbline scans get 0190…', explanation: 'as YAML; --format json for a program' }],
    },
    {
      name: 'results',
      summary: 'list what a scan found of each record',
      method: 'GET',
      path: '/compliance/audit',
      query: [
        { flags: '--scan <id>', description: 'of this scan', sends: 'scanId' },
        { flags: '--result <name>', description: 'with this verdict', choices: ['pass', 'warn', 'block'] },
      ],
      shows: {
        as: 'list',
        key: 'entries',
        columns: { result: 'result', target: 'target', entity: 'entityName', at: 'createdAt', id: 'entityId' },
      },
      examples: [{ command: 'plumbline scans results --scan 0190… --result block', explanation: 'what is blocked' }],
    },
    {
      name: 'cancel',
      summary: 'cancel a scan; what it has found stays',
      method: 'POST',
      path: '/compliance/scans/{id}/cancel',
      arguments: [scan],
      shows: { as: 'record', key: 'scan' },
      examples: [{ command: 'plumbline scans cancel 0190…', explanation: 'before its next batch' }],
    },
  ],
  examples: [
    { command: 'plumbline scans start --target all --watch', explanation: 'everything, with its progress' },
    { command: 'plumbline scans list --status failed', explanation: 'those that could not look' },
  ],
}

const cron: Flag = {
  flags: '--cron <expression>',
  description: 'minute, hour, day of month, month, day of week; UTC',
  sends: 'cronExpression',
}
const target: Flag = { flags: '--target <kind>', description: 'what is scanned', choices: TARGETS }
const shown = { as: 'record', key: 'schedule' } as const

export const schedules: Resource = {
  name: 'schedules',
  one: 'schedule',
  summary: 'list, create, change and switch the schedules of scans',
  path: '/compliance/scan-schedules',
  key: {
    argument: { syntax: '<schedule>', description: 'id of the schedule' },
    example: '0190…',
    fields: ['id'],
    separator: '/',
  },
  columns: {
    cron: 'cronExpression',
    target: 'target',
    active: 'isActive',
    next: 'nextRunAt',
    last: 'lastRunAt',
    id: 'id',
  },
  filters: [
    targetFilter,
    {
      flags: '--active <which>',
      description: 'active ones or inactive ones',
      choices: ['true', 'false'],
      sends: 'isActive',
    },
  ],
  sorts: ['createdAt'],
  isListedOnly: true,
  actions: [
    {
      name: 'create',
      summary: 'let scans begin by themselves',
      method: 'POST',
      path: '/compliance/scan-schedules',
      creates: true,
      body: [target, cron],
      shows: shown,
      examples: [
        {
          command: 'plumbline schedules create --target all --cron "30 2 * * MON-FRI"',
          explanation: 'at half past two UTC',
        },
      ],
    },
    {
      name: 'update',
      summary: 'change the target or the times of a schedule',
      method: 'PUT',
      path: '/compliance/scan-schedules/{id}',
      arguments: [schedule],
      body: [target, cron],
      shows: shown,
      examples: [
        { command: 'plumbline schedules update 0190… --cron "0 4 * * *"', explanation: 'what is not given stays' },
      ],
    },
    {
      name: 'enable',
      summary: 'switch a schedule on',
      method: 'PATCH',
      path: '/compliance/scan-schedules/{id}/active',
      arguments: [schedule],
      sends: { isActive: true },
      shows: shown,
      examples: [{ command: 'plumbline schedules enable 0190…', explanation: 'its next run is shown' }],
    },
    {
      name: 'disable',
      summary: 'switch a schedule off; it stays listed',
      method: 'DELETE',
      path: '/compliance/scan-schedules/{id}',
      arguments: [schedule],
      shows: shown,
      examples: [{ command: 'plumbline schedules disable 0190…', explanation: '`schedules enable` brings it back' }],
    },
  ],
  examples: [
    { command: 'plumbline schedules list --active true', explanation: 'with the next run of each' },
    { command: 'plumbline schedules create --target plugin --cron "0 * * * *"', explanation: 'every hour' },
  ],
}
