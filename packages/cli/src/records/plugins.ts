/** The commands of plugins and their builds (spec platform 10, 11, 22). */
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

const buildColumns: Columns = {
  plugin: 'pluginName',
  version: 'version',
  state: 'state',
  attempts: 'totalAttempts',
  created: 'createdAt',
  error: 'error',
  job: 'jobId',
}

const builderColumns: Columns = {
  builder: 'name',
  state: 'state',
  seen: 'lastSeenAt',
  builds: 'building',
  capabilities: 'capabilities',
  fault: 'fault.reason',
  message: 'fault.message',
}

const jobArgument = {
  syntax: '<job>',
  description: 'id of the build, as `upload` and `builds` show it',
  means: 'path',
  sends: 'jobId',
} as const

const jobFilters: readonly Flag[] = [
  { flags: '--name <plugin>', description: 'of this plugin', sends: 'pluginName' },
  { flags: '--category <name>', description: 'that failed for this reason' },
  { flags: '--limit <number>', description: 'list at most this many', integer: { min: 1, max: 200 } },
  { flags: '--offset <number>', description: 'skip this many', integer: { min: 0 } },
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
    { flags: '--name <text>', description: 'whose name contains this' },
    { flags: '--version-range <range>', description: 'this version, or a range such as ^2.1', sends: 'version' },
    { flags: '--category <name>', description: 'of this category' },
    { flags: '--plugin-type <type>', description: 'of this type' },
    { flags: '--compute-type <type>', description: 'of this compute type' },
    {
      flags: '--build-type <type>',
      description: 'of this build type',
    },
    {
      flags: '--build-status <state>',
      description: 'whose build is in this state',
    },
    { flags: '--latest-only', description: 'only the newest version of each' },
    { flags: '--scope <which>', description: 'of your organization, or shared' },
    ...catalogFilters,
    ...visibilityFilters,
  ],
  actions: [
    {
      name: 'versions',
      summary: 'list the versions of a plugin, the highest first',
      method: 'GET',
      path: '/plugins',
      arguments: [{ syntax: '<name>', description: 'name of the plugin', means: 'query', sends: 'nameExact' }],
      asks: { isActive: 'all', sortBy: 'version' },
      shows: { as: 'list', key: 'plugins', columns },
      examples: [
        { command: 'plumbline plugins versions node-build', explanation: 'with those whose image is not ready' },
      ],
    },
    {
      name: 'update',
      summary: 'change the metadata of a plugin; new content needs a new version',
      method: 'PUT',
      path: '/plugins/{id}',
      arguments: [{ ...argument, means: 'key', sends: 'id' }],
      body: [
        { flags: '--description <text>', description: 'its description' },
        { flags: '--category <name>', description: 'its category' },
        {
          flags: '--keyword <word>',
          description: 'a keyword; those given replace the others',
          sends: 'keywords',
          repeatable: true,
        },
        {
          flags: '--compute-type <type>',
          description: 'its compute type',
        },
        {
          flags: '--failure-behavior <way>',
          description: 'what happens when it fails',
        },
        {
          flags: '--lifecycle <name>',
          description: 'its state',
        },
        {
          flags: '--access <modifier>',
          description: 'who sees it',
          sends: 'accessModifier',
        },
        { flags: '--default', description: 'make it the default version of its name', sends: 'isDefault' },
        {
          flags: '--label <name=value>',
          description: 'a label; those given replace the others',
          sends: 'labels',
          isPairs: true,
          repeatable: true,
        },
      ],
      shows: { as: 'record', key: 'plugin' },
      examples: [
        {
          command: 'plumbline plugins update node-build@1.2.0 --lifecycle deprecated',
          explanation: 'the rules are checked again',
        },
        {
          command: 'plumbline plugins update node-build@1.2.0 --default',
          explanation: 'the version of a reference without a version',
        },
      ],
    },
    {
      name: 'usage',
      summary: 'count the pipelines that use each plugin',
      method: 'GET',
      path: '/plugins/plugin-usage',
      query: [{ flags: '--by-version', description: 'for each version' }],
      shows: { as: 'record' },
      examples: [{ command: 'plumbline plugins usage', explanation: 'by name; pipelines of the organization' }],
    },
    {
      name: 'builds',
      summary: 'list builds, the newest first',
      method: 'GET',
      path: '/plugins/builds',
      query: [
        {
          flags: '--state <state>',
          description: 'in this state',
        },
        { flags: '--name <plugin>', description: 'of this plugin', sends: 'pluginName' },
      ],
      shows: { as: 'list', key: 'builds', columns: buildColumns },
      examples: [{ command: 'plumbline plugins builds --state active', explanation: 'what is being built now' }],
    },
    {
      name: 'queue',
      summary: 'count the builds in each state, and list the builders',
      method: 'GET',
      path: '/plugins/queue/status',
      shows: { as: 'record' },
      examples: [{ command: 'plumbline plugins queue', explanation: 'of the organization' }],
    },
    {
      name: 'builders',
      summary: 'list the builders that were seen in the last day, and what is wrong with them',
      method: 'GET',
      path: '/plugins/queue/status',
      shows: { as: 'rows', key: 'builders', columns: builderColumns },
      examples: [
        { command: 'plumbline plugins builders', explanation: 'names and messages are for system administrators' },
      ],
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
      summary: 'list builds that are dead letters',
      method: 'GET',
      path: '/plugins/queue/dlq',
      query: jobFilters,
      shows: { as: 'rows', key: 'jobs', columns: jobColumns },
      examples: [{ command: 'plumbline plugins dead-builds', explanation: '`replay-build` queues one again' }],
    },
    {
      name: 'triage',
      summary: 'group failed builds by the reason of their failure',
      method: 'GET',
      path: '/plugins/queue/triage',
      shows: {
        as: 'rows',
        key: 'categories',
        columns: {
          category: 'category',
          builds: 'count',
          exhausted: 'exhausted',
          newest: 'newest.name',
          error: 'newest.error',
          id: 'newest.id',
        },
      },
      examples: [{ command: 'plumbline plugins triage', explanation: 'the most frequent reason first' }],
    },
    {
      name: 'cancel',
      summary: 'cancel a build that waits or runs',
      method: 'POST',
      path: '/plugins/builds/{jobId}/cancel',
      arguments: [jobArgument],
      shows: { as: 'record', key: 'build' },
      examples: [
        { command: 'plumbline plugins cancel 0190…', explanation: 'the builder that runs it stops within seconds' },
      ],
    },
    {
      name: 'retry',
      summary: 'retry a failed or cancelled build now',
      method: 'POST',
      path: '/plugins/queue/failed/{jobId}/retry',
      arguments: [jobArgument],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline plugins retry 0190…', explanation: 'with all its attempts; the rules are checked again' },
      ],
    },
    {
      name: 'replay-build',
      summary: 'queue a dead build again',
      method: 'POST',
      path: '/plugins/queue/dlq/{jobId}/replay',
      arguments: [jobArgument],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline plugins replay-build 0190…', explanation: 'compliance and quota are checked again' },
      ],
    },
    {
      name: 'purge-builds',
      summary: 'remove every dead build of every organization; for system administrators',
      method: 'DELETE',
      path: '/plugins/queue/dlq',
      shows: { as: 'record' },
      examples: [{ command: 'plumbline plugins purge-builds', explanation: 'prints how many were removed' }],
    },
    ...removalActions({
      name: 'plugins',
      one: 'plugin',
      path: '/plugins',
      listKey: 'plugins',
      argument,
      example: 'node-build@1.2.0',
      columns,
      deletes: [{ flags: '--force', description: 'even while pipelines name exactly this version' }],
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
