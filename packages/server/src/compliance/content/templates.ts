/**
 * The five built-in rule templates (compliance decisions 11): the start of a rule of one's own. They are part of the program
 * and no rows; `POST /compliance/templates/apply` makes a rule of one.
 */
import type { JsonValue, OperatorName, Severity, Target } from '@plumbline/engine'

export interface RuleTemplate {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly target: Target
  readonly severity: Severity
  readonly field: string
  readonly operator: OperatorName
  readonly value?: JsonValue
  readonly priority: number
  readonly tags: readonly string[]
  readonly category: 'documentation' | 'naming' | 'runtime' | 'versioning'
}

export const ruleTemplates: readonly RuleTemplate[] = [
  {
    id: 'tpl-require-description',
    name: 'require-description',
    description: 'A plugin says what it is for.',
    target: 'plugin',
    severity: 'warning',
    field: 'description',
    operator: 'notEmpty',
    priority: 10,
    tags: ['documentation'],
    category: 'documentation',
  },
  {
    id: 'tpl-block-latest-tag',
    name: 'block-latest-tag',
    description: 'A plugin is never published as `latest`.',
    target: 'plugin',
    severity: 'error',
    field: 'version',
    operator: 'neq',
    value: 'latest',
    priority: 90,
    tags: ['versioning'],
    category: 'versioning',
  },
  {
    id: 'tpl-enforce-semver',
    name: 'enforce-semver',
    description: 'The version of a plugin is major.minor.patch and nothing else.',
    target: 'plugin',
    severity: 'error',
    field: 'version',
    operator: 'regex',
    value: '^\\d+\\.\\d+\\.\\d+$',
    priority: 50,
    tags: ['versioning'],
    category: 'versioning',
  },
  {
    id: 'tpl-pipeline-naming',
    name: 'pipeline-naming-convention',
    description: 'A pipeline name begins with a letter and has 3 to 64 lower-case letters, digits or hyphens.',
    target: 'pipeline',
    severity: 'warning',
    field: 'name',
    operator: 'regex',
    value: '^[a-z][a-z0-9-]{2,63}$',
    priority: 20,
    tags: ['naming'],
    category: 'naming',
  },
  {
    id: 'tpl-max-timeout',
    name: 'max-pipeline-timeout',
    description:
      'A pipeline finishes within two hours. It reads `timeoutInMinutes`, which the platform does not send with a pipeline: change the field, or use it where you send attributes of your own.',
    target: 'pipeline',
    severity: 'error',
    field: 'timeoutInMinutes',
    operator: 'lte',
    value: 120,
    priority: 70,
    tags: ['runtime'],
    category: 'runtime',
  },
]
