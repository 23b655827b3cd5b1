/** The commands of scans and their schedules (spec compliance 10). */
import type { Columns, Flag, Resource } from './resource.js'

const targetFilter: Flag = { flags: '--target <kind>', description: 'of these records' }
const scan = { syntax: '<scan>', description: 'id of the scan', means: 'path', sends: 'id' } as const
const schedule = { syntax: '<schedule>', description: 'id of the schedule', means: 'path', sends: 'id' } as const

export const scanColumns: Columns = {
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
    },
    {
      flags: '--triggered-by <what>',
      description: 'started by a person, a schedule or a changed rule',
    },
  ],
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
      summary: 'list the results of a scan, by record',
      method: 'GET',
      path: '/compliance/audit',
      query: [
        { flags: '--scan <id>', description: 'of this scan', sends: 'scanId' },
        { flags: '--result <name>', description: 'with this verdict' },
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
      summary: 'cancel a scan; its results so far stay',
      method: 'POST',
      path: '/compliance/scans/{id}/cancel',
      arguments: [scan],
      shows: { as: 'record', key: 'scan' },
      examples: [{ command: 'plumbline scans cancel 0190…', explanation: 'it stops before its next batch' }],
    },
  ],
  examples: [
    { command: 'plumbline scans start --target all --watch', explanation: 'everything, with its progress' },
    { command: 'plumbline scans list --status failed', explanation: 'the scans that failed' },
  ],
}

const cron: Flag = {
  flags: '--cron <expression>',
  description: 'minute, hour, day of month, month, day of week; UTC',
  sends: 'cronExpression',
}
const target: Flag = { flags: '--target <kind>', description: 'what is scanned' }
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
      sends: 'isActive',
    },
  ],
  isListedOnly: true,
  actions: [
    {
      name: 'create',
      summary: 'start scans on a schedule',
      method: 'POST',
      path: '/compliance/scan-schedules',
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
        {
          command: 'plumbline schedules update 0190… --cron "0 4 * * *"',
          explanation: 'fields that are not given stay',
        },
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
      examples: [{ command: 'plumbline schedules disable 0190…', explanation: '`schedules enable` switches it on' }],
    },
  ],
  examples: [
    { command: 'plumbline schedules list --active true', explanation: 'with the next run of each' },
    { command: 'plumbline schedules create --target plugin --cron "0 * * * *"', explanation: 'every hour' },
  ],
}
