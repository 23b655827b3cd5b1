/** The commands of pipeline templates (spec platform 9, 22). */
import type { Columns, Resource } from './resource.js'
import { catalogFilters, removalActions, visibilityFilters } from './shared.js'

const columns: Columns = {
  name: 'name',
  category: 'category',
  version: 'version',
  access: 'accessModifier',
  lifecycle: 'lifecycle',
  updated: 'updatedAt',
  id: 'id',
}

const argument = { syntax: '<template>', description: 'id, or name' }

export const templates: Resource = {
  name: 'templates',
  one: 'template',
  summary: 'list, show, apply and delete pipeline templates, and fill them in',
  path: '/pipeline-templates',
  listKey: 'templates',
  key: { argument, example: '"Static site"', fields: ['name'], separator: '/' },
  columns,
  filters: [
    { flags: '--scope <which>', description: 'of your organization, shared, or all' },
    { flags: '--name <text>', description: 'whose name contains this' },
    { flags: '--category <name>', description: 'of this category' },
    ...catalogFilters,
    ...visibilityFilters,
  ],
  actions: [
    {
      name: 'instantiate',
      summary: 'fill a template in; nothing is stored',
      description: 'Prints a document of the kind Pipeline, with the inputs in place, that `plumbline apply` takes.',
      method: 'POST',
      path: '/pipeline-templates/{id}/instantiate',
      arguments: [{ ...argument, means: 'key', sends: 'id' }],
      body: [
        { flags: '--project <name>', description: 'project of the pipeline' },
        { flags: '--organization <name>', description: 'organization of the pipeline' },
        { flags: '--name <text>', description: 'name of the pipeline', sends: 'pipelineName' },
        {
          flags: '-i, --input <name=value>',
          description: 'value of an input',
          sends: 'inputs',
          isPairs: true,
          repeatable: true,
        },
      ],
      bodyFile: { description: 'the same from a file, as `inputs: {…}`', isRequired: false },
      shows: { as: 'document', kind: 'Pipeline', sent: ['project', 'organization', 'pipelineName'] },
      examples: [
        {
          command: 'plumbline templates instantiate "Static site" --project shop --organization acme > shop.yaml',
          explanation: 'a file for `plumbline apply shop.yaml`',
        },
      ],
    },
    ...removalActions({
      name: 'templates',
      one: 'template',
      path: '/pipeline-templates',
      listKey: 'templates',
      argument,
      example: '"Static site"',
      columns,
    }),
  ],
  examples: [
    { command: 'plumbline templates list', explanation: 'own ones and those of the system' },
    {
      command: 'plumbline templates instantiate "Static site" --project shop --organization acme',
      explanation: 'the pipeline that is made of it',
    },
  ],
}
