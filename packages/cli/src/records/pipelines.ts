/** The commands of pipelines (spec platform 8, 21, 22). */
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
    summary: 'check a create or update without changing anything',
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
    },
    examples: [{ command: 'plumbline pipelines deployments', explanation: 'the newest first' }],
  },
]

const bulkRows = {
  as: 'rows',
  key: 'items',
  columns: { item: 'index', status: 'status', id: 'id', code: 'code', message: 'message' },
} as const

const manyActions: readonly Action[] = [
  {
    name: 'register',
    summary: 'record where a pipeline is deployed; run it again for each deployment',
    method: 'POST',
    path: '/pipelines/registry',
    body: [
      { flags: '--pipeline <id>', description: 'id of the pipeline', sends: 'pipelineId' },
      { flags: '--name <text>', description: 'name of the pipeline where it is deployed', sends: 'pipelineName' },
      { flags: '--resource <id>', description: 'identifier at the platform, such as an ARN', sends: 'resourceId' },
      { flags: '--region <name>', description: 'where it is' },
      { flags: '--stack <name>', description: 'the stack that it is part of', sends: 'stackName' },
    ],
    bodyFile: { description: 'the fields from a file', isRequired: false },
    shows: { as: 'record', key: 'registry' },
    examples: [
      {
        command: 'plumbline pipelines register --pipeline 0190… --name web-shop --region eu-central-1',
        explanation: 'from the hook of a deployment',
      },
    ],
  },
  {
    name: 'deregister',
    summary: 'delete the record of where a pipeline is deployed',
    method: 'DELETE',
    path: '/pipelines/registry/{id}',
    arguments: [
      {
        syntax: '<id>',
        description: 'id of the entry, as `pipelines deployments` shows it',
        means: 'path',
        sends: 'id',
      },
    ],
    shows: { as: 'note', text: 'forgotten' },
    examples: [{ command: 'plumbline pipelines deregister 0190…', explanation: 'the pipeline itself stays' }],
  },
  {
    name: 'bulk-create',
    summary: 'create up to 100 pipelines in one request',
    description: 'Each pipeline has its own result. When the rules cannot be evaluated, none is created.',
    method: 'POST',
    path: '/pipelines/bulk/create',
    body: [],
    bodyFile: { description: '`pipelines:`, a list of them', isRequired: true },
    shows: bulkRows,
    examples: [{ command: 'plumbline pipelines bulk-create --file pipelines.yaml', explanation: 'a row an item' }],
  },
  {
    name: 'bulk-update',
    summary: 'apply the same change to up to 100 pipelines in one request',
    method: 'PUT',
    path: '/pipelines/bulk/update',
    body: [],
    bodyFile: { description: '`ids:`, and `data:` with what changes', isRequired: true },
    shows: bulkRows,
    examples: [{ command: 'plumbline pipelines bulk-update --file change.yaml', explanation: 'a row an item' }],
  },
  {
    name: 'bulk-delete',
    summary: 'delete up to 100 pipelines in one request',
    method: 'POST',
    path: '/pipelines/bulk/delete',
    body: [],
    bodyFile: { description: '`ids:`, a list', isRequired: true },
    shows: bulkRows,
    examples: [{ command: 'plumbline pipelines bulk-delete --file ids.yaml', explanation: 'each can be restored' }],
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
      description: 'with this pipeline name; with a `~` at its end: containing it',
      sends: 'pipelineName',
    },
    { flags: '--plugin <name>', description: 'using this plugin' },
    { flags: '--template <id>', description: 'made from this template', sends: 'templateId' },
    { flags: '--descendants', description: 'those of its teams too', sends: 'includeDescendants' },
    ...catalogFilters,
    ...visibilityFilters,
  ],
  actions: [
    ...historyActions,
    ...manyActions,
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
    { command: 'plumbline pipelines apply pipeline.yaml', explanation: 'creates or updates it' },
  ],
}
