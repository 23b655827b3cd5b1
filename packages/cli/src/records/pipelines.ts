/** Pipelines as the command line knows them (platform decisions 8, 21, 22). */
import type { Columns, Resource } from './resource.js'
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
    { flags: '--include-descendants', description: 'of the teams too' },
  ],
  sorts: ['createdAt', 'updatedAt', 'project', 'organization', 'pipelineName', 'lifecycle'],
  actions: removalActions({
    name: 'pipelines',
    one: 'pipeline',
    path: '/pipelines',
    listKey: 'pipelines',
    argument,
    example: 'web-shop/acme',
    columns,
  }),
  examples: [
    { command: 'plumbline pipelines list --label team=web', explanation: 'those that carry a label' },
    { command: 'plumbline pipelines get web-shop/acme', explanation: 'one of them, with its props, as YAML' },
    { command: 'plumbline pipelines apply -f pipeline.yaml', explanation: 'creates or updates it' },
  ],
}
