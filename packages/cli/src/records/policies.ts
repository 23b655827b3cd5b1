/** The commands of policies: named groups of rules (spec compliance 8). */
import type { Columns, Resource } from './resource.js'
import { removalActions } from './shared.js'

const columns: Columns = {
  name: 'name',
  version: 'version',
  rules: 'rules.length',
  active: 'isActive',
  template: 'isTemplate',
  updated: 'updatedAt',
  id: 'id',
}

const argument = { syntax: '<policy>', description: 'id, or name' }
const named = {
  name: 'policies',
  one: 'policy',
  path: '/compliance/policies',
  listKey: 'policies',
  argument,
  example: 'security-baseline',
  columns,
}

export const policies: Resource = {
  name: 'policies',
  one: 'policy',
  summary: 'list, show, apply, copy, delete and restore groups of rules on a server',
  path: '/compliance/policies',
  key: { argument, example: 'security-baseline', fields: ['name'], separator: '/' },
  columns,
  filters: [
    { flags: '--name <text>', description: 'whose name contains this' },
    { flags: '--tag <word>', description: 'with this tag' },
    {
      flags: '--active <which>',
      description: 'active ones, inactive ones, or all',
      sends: 'isActive',
    },
    { flags: '--templates', description: 'only templates', sends: 'isTemplate' },
  ],
  actions: [
    {
      name: 'members',
      summary: 'list the rules of a policy',
      method: 'GET',
      path: '/compliance/policies/{id}',
      arguments: [{ ...argument, means: 'key', sends: 'id' }],
      shows: { as: 'rows', key: 'policy.rules', columns: { rule: 'name', id: 'id' } },
      examples: [{ command: 'plumbline policies members security-baseline', explanation: 'the rules that it groups' }],
    },
    {
      name: 'versions',
      summary: 'list the versions of a policy, the newest first',
      method: 'GET',
      path: '/compliance/policies/{id}/versions',
      arguments: [{ ...argument, means: 'key', sends: 'id' }],
      shows: {
        as: 'list',
        key: 'versions',
        columns: { version: 'version', rules: 'rules.length', active: 'isActive', created: 'createdAt', id: 'id' },
      },
      examples: [{ command: 'plumbline policies versions release', explanation: 'which one is in force' }],
    },
    {
      name: 'create',
      summary: 'create a policy',
      method: 'POST',
      path: '/compliance/policies',
      bodyFile: { description: 'policy: name, rules, …', isRequired: true },
      body: [],
      shows: { as: 'record', key: 'policy' },
      examples: [{ command: 'plumbline policies create --file policy.yaml', explanation: 'fails if it exists' }],
    },
    {
      name: 'update',
      summary: 'change a policy',
      method: 'PUT',
      path: '/compliance/policies/{id}',
      arguments: [{ ...argument, means: 'key', sends: 'id' }],
      body: [
        { flags: '--active', description: 'its rules apply', sends: 'isActive' },
        {
          flags: '--inactive',
          description: 'its rules no longer apply, except those of another active policy',
          sends: 'isActive',
          value: false,
          conflicts: ['active'],
        },
        {
          flags: '--rule <name>',
          description: 'with the whole list of rules, by name',
          sends: 'rules',
          repeatable: true,
        },
      ],
      bodyFile: { description: 'the fields that change', isRequired: false },
      shows: { as: 'record', key: 'policy' },
      examples: [{ command: 'plumbline policies update release --inactive', explanation: 'switches its rules off' }],
    },
    {
      name: 'clone',
      summary: 'copy a template with its rules',
      method: 'POST',
      path: '/compliance/policies/{id}/clone',
      arguments: [{ ...argument, means: 'key', sends: 'id' }],
      body: [{ flags: '--name <text>', description: 'name of the copy' }],
      shows: { as: 'record' },
      examples: [
        { command: 'plumbline policies clone security-baseline', explanation: 'your own policy with your own rules' },
      ],
    },
    ...removalActions(named),
  ],
  examples: [
    { command: 'plumbline policies list', explanation: 'own ones and templates' },
    { command: 'plumbline policies apply policies/', explanation: 'creates and updates them' },
  ],
}
