/** Pipelines as the command line knows them (platform decisions 8, 21, 22). */
import type { Action, Columns, Resource } from './resource.js'
import { catalogFilters, removalActions, visibilityFilters } from './shared.js'

const columns: Columns = {
  project: 'project',
  organization: 'organization',
  name: 'pipelineName',
  access: 'accessModifier',
  lifecycle: 'lifecycle',
  updated: 'updatedAt',
  id: 'id',
}

const argument = { syntax: '<pipeline>', description: 'id, or project/organization' }

const revision = {
  syntax: '<revision>',
  description: 'number of the revision',
  means: 'path',
  sends: 'revision',
} as const

const historyActions: readonly Action[] = [
  {
    name: 'revisions',
    summary: 'list the revisions of a pipeline',
    method: 'GET',
    path: '/pipelines/{id}/revisions',
    arguments: [{ ...argument, means: 'key', sends: 'id' }],
    shows: {
      as: 'list',
      key: 'revisions',
      columns: { revision: 'revision', change: 'change', at: 'changedAt', by: 'changedBy' },
    },
    examples: [{ command: 'plumbline pipelines revisions web-shop/acme', explanation: 'who changed it, and when' }],
  },
  {
    name: 'revision',
    summary: 'show a pipeline as it was',
    method: 'GET',
    path: '/pipelines/{id}/revisions/{revision}',
    arguments: [{ ...argument, means: 'key', sends: 'id' }, revision],
    shows: { as: 'record', key: 'revision' },
    examples: [{ command: 'plumbline pipelines revision web-shop/acme 3', explanation: 'its third state' }],
  },
  {
    name: 'diff',
    summary: 'show what a revision changed',
    method: 'GET',
    path: '/pipelines/{id}/revisions/{revision}/diff',
    arguments: [{ ...argument, means: 'key', sends: 'id' }, revision],
    query: [
      {
        flags: '--against <revision>',
        description: 'compare with this one',
        integer: { min: 1 },
        defaultText: 'the one before',
      },
    ],
    shows: {
      as: 'rows',
      key: 'changes',
      columns: { change: 'op', path: 'path', before: 'before', after: 'after' },
    },
    examples: [
      { command: 'plumbline pipelines diff web-shop/acme 4', explanation: 'from the third state to the fourth' },
    ],
  },
  {
    name: 'validate',
    summary: 'say what a create or update would, and change nothing',
    description: 'Schema, tokens, plugins, compliance and quota; `apply --dry-run` does it for many documents.',
    method: 'POST',
    path: '/pipelines/validate',
    body: [],
    bodyFile: { description: 'the pipeline', isRequired: true },
    shows: { as: 'verdict' },
    examples: [
      { command: 'plumbline pipelines validate --file pipeline.yaml', explanation: 'exits 1 when it is not valid' },
    ],
  },
  {
    name: 'deployments',
    summary: 'list where pipelines are deployed',
    method: 'GET',
    path: '/pipelines/registry',
    query: [
      { flags: '--pipeline <id>', description: 'of this pipeline', sends: 'pipelineId' },
      { flags: '--project <name>', description: 'of this project' },
      { flags: '--region <name>', description: 'in this region' },
    ],
    shows: {
      as: 'list',
      key: 'registry',
      columns: {
        pipeline: 'pipelineName',
        target: 'target',
        region: 'region',
        stack: 'stackName',
        deployed: 'lastDeployed',
        id: 'id',
      },
      sorts: ['lastDeployed', 'pipelineName'],
    },
    examples: [{ command: 'plumbline pipelines deployments', explanation: 'the newest first' }],
  },
]

export const pipelines: Resource = {
  name: 'pipelines',
  one: 'pipeline',
  summary: 'list, show, apply, delete and restore pipelines on a server',
  path: '/pipelines',
  key: {
    argument,
    example: 'web-shop/acme',
    fields: ['project', 'organization'],
    separator: '/',
    isLoose: true,
  },
  columns,
  filters: [
    { flags: '--project <name>', description: 'of this project' },
    { flags: '--organization <name>', description: 'of this organization of the record, which is not the tenant' },
    {
      flags: '--name <text>',
      description: 'with this pipeline name; a `~` at its end: holding it',
      sends: 'pipelineName',
    },
    { flags: '--plugin <name>', description: 'using this plugin' },
    { flags: '--template <id>', description: 'made from this template', sends: 'templateId' },
    ...catalogFilters,
    ...visibilityFilters,
  ],
  sorts: ['createdAt', 'updatedAt', 'project', 'organization', 'pipelineName', 'lifecycle'],
  actions: [
    ...historyActions,
    ...removalActions({
      name: 'pipelines',
      one: 'pipeline',
      path: '/pipelines',
      listKey: 'pipelines',
      argument,
      example: 'web-shop/acme',
      columns,
    }),
  ],
  examples: [
    { command: 'plumbline pipelines list --label team=web', explanation: 'those that carry a label' },
    { command: 'plumbline pipelines get web-shop/acme', explanation: 'one of them, with its props, as YAML' },
    { command: 'plumbline pipelines apply -f pipeline.yaml', explanation: 'creates or updates it' },
  ],
}
