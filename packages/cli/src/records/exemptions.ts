/** The commands of exemptions: waivers of one rule for one entity, which need two people (spec compliance 9). */
import { pipelines } from './pipelines.js'
import { plugins } from './plugins.js'
import type { ActionArgument, Columns, JsonObject, Resource } from './resource.js'
import { catalog, rules } from './rules.js'

const columns: Columns = {
  status: 'status',
  rule: 'ruleName',
  entity: 'entityName',
  'entity id': 'entityId',
  version: 'entityKey.version',
  stored: 'isStored',
  expires: 'expiresAt',
  requested: 'createdAt',
  'rule id': 'ruleId',
  id: 'id',
}

const awaits = ({ id }: JsonObject): string =>
  `another owner or administrator decides: \`plumbline exemptions approve ${id}\`, or \`exemptions reject\``

const argument = { syntax: '<exemption>', description: 'id, as `exemptions list` shows it' }
const id: ActionArgument = { ...argument, means: 'path', sends: 'id' }
const REVIEW = '/compliance/exemptions/{id}/review'

export const exemptions: Resource = {
  name: 'exemptions',
  one: 'exemption',
  summary: 'request exemptions from a rule, approve or reject them, and revoke them',
  path: '/compliance/exemptions',
  key: { argument, example: '0190…', fields: ['id'], separator: '/' },
  isListedOnly: true,
  columns,
  filters: [
    {
      flags: '--status <name>',
      description: 'in this state',
    },
    { flags: '--rule <id>', description: 'of this rule', sends: 'ruleId' },
    {
      flags: '--target <kind>',
      description: 'of this kind of entity',
      sends: 'entityType',
    },
    { flags: '--entity <id>', description: 'of this entity', sends: 'entityId' },
    { flags: '--plugin-name <name>', description: 'by this name of a plugin, with --plugin-version' },
    { flags: '--plugin-version <version>', description: 'by this version, or *, with --plugin-name' },
    { flags: '--project <name>', description: 'by this project of a pipeline, with --organization' },
    { flags: '--organization <name>', description: 'by this organization of a pipeline, with --project' },
    { flags: '--by <id>', description: 'requested by this user', sends: 'createdBy' },
    { flags: '--team <id>', description: 'of this team, from rules that it inherits from you' },
  ],
  actions: [
    {
      name: 'request',
      summary: 'request that a rule is waived for an entity; another person decides',
      method: 'POST',
      path: '/compliance/exemptions',
      arguments: [
        { syntax: '<rule>', description: 'id, or name', means: 'bodyKey', sends: 'ruleId', of: [rules, catalog] },
        {
          syntax: '<target>',
          description: 'plugin or pipeline',
          means: 'body',
          sends: 'entityType',
        },
        {
          syntax: '<entity>',
          description: 'id; or, stored or not, name@version (name@* for every version), or project/organization',
          means: 'bodyRecord',
          sends: 'entityId',
          sendsKey: 'entityKey',
          kindFrom: 'entityType',
          of: [plugins, pipelines],
        },
      ],
      body: [
        { flags: '--reason <text>', description: 'why; needed' },
        { flags: '--name <text>', description: 'name of the entity, shown to the reviewer', sends: 'entityName' },
        { flags: '--expires <instant>', description: 'until when, ISO 8601', sends: 'expiresAt' },
      ],
      shows: { as: 'record', key: 'exemption', columns, next: awaits },
      examples: [
        {
          command: 'plumbline exemptions request no-latest plugin 0190… --reason "until the next release"',
          explanation: 'pending, until another person decides',
        },
        {
          command: 'plumbline exemptions request no-latest plugin old-lint@1.0.0 --reason "until the next release"',
          explanation: 'for a plugin by name and version: it need not be stored yet',
        },
        {
          command: 'plumbline exemptions request has-owner pipeline web-shop/acme --reason "moves in May"',
          explanation: 'for a pipeline by project and organization',
        },
      ],
    },
    {
      name: 'request-all',
      summary: 'request many exemptions at once, from a file',
      method: 'POST',
      path: '/compliance/exemptions/bulk',
      body: [],
      bodyFile: { description: '`exemptions:` with up to 500 of them', isRequired: true },
      shows: {
        as: 'rows',
        key: 'items',
        columns: { item: 'index', status: 'status', id: 'id', code: 'code', message: 'message' },
      },
      examples: [
        { command: 'plumbline exemptions request-all --file waivers.yaml', explanation: 'known ones are skipped' },
      ],
    },
    {
      name: 'approve',
      summary: 'approve an exemption that another person requested',
      method: 'PUT',
      path: REVIEW,
      arguments: [id],
      sends: { status: 'approved' },
      shows: { as: 'record', key: 'exemption', columns },
      examples: [{ command: 'plumbline exemptions approve 0190…', explanation: 'the rule is waived from now on' }],
    },
    {
      name: 'reject',
      summary: 'reject an exemption that another person requested',
      method: 'PUT',
      path: REVIEW,
      arguments: [id],
      sends: { status: 'rejected' },
      body: [{ flags: '--reason <text>', description: 'why', sends: 'rejectionReason' }],
      shows: { as: 'record', key: 'exemption', columns },
      examples: [{ command: 'plumbline exemptions reject 0190… --reason "fix it"', explanation: 'with the reason' }],
    },
    {
      name: 'revoke',
      summary: 'revoke an exemption, or withdraw your request',
      method: 'DELETE',
      path: '/compliance/exemptions/{id}',
      arguments: [id],
      shows: { as: 'note', text: 'revoked' },
      examples: [{ command: 'plumbline exemptions revoke 0190…', explanation: 'the rule applies again' }],
    },
  ],
  examples: [
    { command: 'plumbline exemptions list --status pending', explanation: 'what waits for a decision' },
    {
      command: 'plumbline exemptions approve 0190…',
      explanation: 'only another person than the requester can do this',
    },
  ],
}
