/** Plugins and their builds as the command line knows them (platform decisions 10, 11, 22). */
import type { Columns, Flag, Resource } from './resource.js'
import { catalogFilters, removalActions, visibilityFilters } from './shared.js'

const columns: Columns = {
  name: 'name',
  version: 'version',
  default: 'isDefault',
  category: 'category',
  build: 'buildStatus',
  access: 'accessModifier',
  updated: 'updatedAt',
  id: 'id',
}

const argument = { syntax: '<plugin>', description: 'id, or name@version; the name alone is its default version' }

const jobColumns: Columns = {
  plugin: 'pluginName',
  version: 'version',
  category: 'category',
  attempts: 'attemptsMade',
  failed: 'failedAt',
  error: 'error',
  id: 'id',
}

const jobFilters: readonly Flag[] = [
  { flags: '--name <plugin>', description: 'of this plugin', sends: 'pluginName' },
  { flags: '--category <name>', description: 'that failed for this reason' },
  { flags: '--limit <number>', description: 'at most so many', integer: { min: 1, max: 200 } },
  { flags: '--offset <number>', description: 'leave so many out', integer: { min: 0 } },
]

export const plugins: Resource = {
  name: 'plugins',
  one: 'plugin',
  summary: 'list, show, upload, apply and delete plugins, and look at their builds',
  path: '/plugins',
  key: {
    argument,
    example: 'node-build@1.2.0',
    fields: ['name', 'version'],
    separator: '@',
    isLastOptional: true,
    filters: { name: 'nameExact', version: 'version' },
  },
  columns,
  filters: [
    { flags: '--name <text>', description: 'whose name holds this' },
    { flags: '--version-range <range>', description: 'this version, or a range such as ^2.1', sends: 'version' },
    { flags: '--category <name>', description: 'of this category' },
    { flags: '--plugin-type <type>', description: 'of this type' },
    { flags: '--compute-type <type>', description: 'of this compute type' },
    {
      flags: '--build-type <type>',
      description: 'of this build type',
      choices: ['build_image', 'prebuilt', 'metadata_only'],
    },
    {
      flags: '--build-status <state>',
      description: 'whose build is in this state',
      choices: ['none', 'queued', 'building', 'ready', 'failed'],
    },
    { flags: '--latest-only', description: 'the newest version of each' },
    { flags: '--scope <which>', description: 'own ones, or shared ones', choices: ['own', 'shared'] },
    ...catalogFilters,
    ...visibilityFilters,
  ],
  sorts: ['createdAt', 'updatedAt', 'name', 'version', 'category'],
  actions: [
    {
      name: 'usage',
      summary: 'say in how many pipelines each plugin is used',
      method: 'GET',
      path: '/plugins/plugin-usage',
      query: [{ flags: '--by-version', description: 'for each version' }],
      shows: { as: 'record' },
      examples: [{ command: 'plumbline plugins usage', explanation: 'by name; pipelines of the organization' }],
    },
    {
      name: 'build',
      summary: 'say how a build goes',
      method: 'GET',
      path: '/plugins/builds/{jobId}',
      arguments: [
        { syntax: '<job>', description: 'id of the build, as `upload` shows it', means: 'path', sends: 'jobId' },
      ],
      shows: { as: 'record' },
      examples: [{ command: 'plumbline plugins build 0190…', explanation: 'its state, attempts and last error' }],
    },
    {
      name: 'queue',
      summary: 'count the builds in each state',
      method: 'GET',
      path: '/plugins/queue/status',
      shows: { as: 'record' },
      examples: [{ command: 'plumbline plugins queue', explanation: 'of the organization' }],
    },
    {
      name: 'failed-builds',
      summary: 'list builds that failed',
      method: 'GET',
      path: '/plugins/queue/failed',
      query: jobFilters,
      shows: { as: 'rows', key: 'jobs', columns: jobColumns },
      examples: [{ command: 'plumbline plugins failed-builds', explanation: 'with the last error of each' }],
    },
    {
      name: 'dead-builds',
      summary: 'list builds that wait for a person',
      method: 'GET',
      path: '/plugins/queue/dlq',
      query: jobFilters,
      shows: { as: 'rows', key: 'jobs', columns: jobColumns },
      examples: [{ command: 'plumbline plugins dead-builds', explanation: '`replay-build` queues one again' }],
    },
    {
      name: 'replay-build',
      summary: 'queue a dead build again',
      method: 'POST',
      path: '/plugins/queue/dlq/{jobId}/replay',
      arguments: [{ syntax: '<job>', description: 'id of the build', means: 'path', sends: 'jobId' }],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline plugins replay-build 0190…', explanation: 'compliance and quota are checked anew' },
      ],
    },
    ...removalActions({
      name: 'plugins',
      one: 'plugin',
      path: '/plugins',
      listKey: 'plugins',
      argument,
      example: 'node-build@1.2.0',
      columns,
      deletes: [{ flags: '--force', description: 'also while pipelines name exactly this version' }],
    }),
  ],
  examples: [
    {
      command: 'plumbline plugins upload ./node-build',
      explanation: 'a folder with a plugin-spec.yaml, zipped on the way',
    },
    { command: 'plumbline plugins list --latest-only', explanation: 'the newest version of each' },
    { command: 'plumbline plugins get node-build', explanation: 'its default version' },
  ],
}
