/**
 * Rule templates that come with the server: starting points that an author applies as own rules (spec compliance 11).
 */
import type { Rule } from '@plumbline/engine'

export interface Template extends Pick<Rule, 'name' | 'target'> {
  readonly id: string
  readonly description: string
  readonly severity: 'warning' | 'error'
  readonly field: string
  readonly operator: NonNullable<Rule['operator']>
  readonly value?: string | number
  readonly priority: number
  readonly tags: readonly string[]
  readonly category: string
}

export const TEMPLATES: readonly Template[] = [
  {
    id: 'tpl-require-description',
    name: 'require-description',
    description: 'Describes what a plugin is for, so that others can choose it without reading its source.',
    target: 'plugin',
    severity: 'warning',
    field: 'description',
    operator: 'notEmpty',
    priority: 10,
    tags: ['documentation'],
    category: 'quality',
  },
  {
    id: 'tpl-block-latest-tag',
    name: 'block-latest-tag',
    description: 'Name a version: `latest` can be another plugin tomorrow, so a build cannot be repeated.',
    target: 'plugin',
    severity: 'error',
    field: 'version',
    operator: 'neq',
    value: 'latest',
    priority: 90,
    tags: ['versioning'],
    category: 'supply-chain',
  },
  {
    id: 'tpl-enforce-semver',
    name: 'enforce-semver',
    description: 'Versions of three numbers, such as 1.4.0, let tools and people see what an update may break.',
    target: 'plugin',
    severity: 'error',
    field: 'version',
    operator: 'regex',
    value: '^\\d+\\.\\d+\\.\\d+$',
    priority: 50,
    tags: ['versioning'],
    category: 'supply-chain',
  },
  {
    id: 'tpl-pipeline-naming',
    name: 'pipeline-naming-convention',
    description: 'Lower-case names with hyphens, 3 to 64 characters, read the same in every tool.',
    target: 'pipeline',
    severity: 'warning',
    field: 'name',
    operator: 'regex',
    value: '^[a-z][a-z0-9-]{2,63}$',
    priority: 20,
    tags: ['naming'],
    category: 'quality',
  },
  {
    id: 'tpl-max-timeout',
    name: 'max-plugin-timeout',
    description: 'A plugin ends within two hours, so that a build that hangs is noticed and does not cost all night.',
    target: 'plugin',
    severity: 'error',
    field: 'timeout',
    operator: 'lte',
    value: 120,
    priority: 70,
    tags: ['cost'],
    category: 'operations',
  },
]
