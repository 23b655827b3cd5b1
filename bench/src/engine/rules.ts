/**
 * 52 rules of the kind that teams write for plugins: names, versions, limits, forbidden settings, a few alternatives.
 *
 * They use only what every peer can express (no gates, no dates), so that all run the same workload.
 */
import type { Condition, OperatorName, Rule, Severity } from '@plumbline/engine'

const rule = (
  id: string,
  severity: Severity,
  field: string,
  operator: OperatorName,
  value?: Condition['value'],
): Rule => ({ id, name: id, target: 'plugin', severity, field, operator, ...(value === undefined ? {} : { value }) })

const CATEGORIES = [
  'ai',
  'artifact',
  'deploy',
  'infrastructure',
  'language',
  'monitoring',
  'notification',
  'quality',
  'security',
  'testing',
] as const

const written: readonly Rule[] = [
  rule('name-format', 'error', 'name', 'regex', '^[a-z][a-z0-9-]{1,63}$'),
  rule('name-short', 'warning', 'name', 'lengthLt', 25),
  rule('name-not-test', 'warning', 'name', 'notContains', 'test'),
  rule('version-semantic', 'error', 'version', 'regex', '^[0-9]+\\.[0-9]+\\.[0-9]+$'),
  rule('version-released', 'error', 'version', 'neq', '0.0.0'),
  rule('description-present', 'error', 'description', 'notEmpty'),
  rule('description-long-enough', 'warning', 'description', 'lengthGt', 99),
  rule('description-short-enough', 'warning', 'description', 'lengthLt', 200),
  rule('description-finished', 'warning', 'description', 'notContains', 'todo'),
  rule('category-known', 'error', 'category', 'in', CATEGORIES),
  rule('category-supported', 'error', 'category', 'notIn', ['legacy', 'experimental', 'internal']),
  rule('keywords-enough', 'warning', 'keywords', 'countGt', 4),
  rule('keywords-few', 'warning', 'keywords', 'countLt', 6),
  rule('keywords-no-latest', 'warning', 'keywords', 'notContains', 'latest'),
  rule('keyword-format', 'warning', 'keywords.0', 'regex', '^[a-z0-9-]+$'),
  rule('type-known', 'error', 'pluginType', 'in', ['CodeBuildStep', 'ShellStep', 'ManualApprovalStep']),
  rule('compute-known', 'error', 'computeType', 'in', ['SMALL', 'MEDIUM', 'LARGE', 'X2_LARGE']),
  rule('compute-affordable', 'error', 'computeType', 'neq', 'X2_LARGE'),
  rule('compute-modest', 'warning', 'computeType', 'notIn', ['MEDIUM', 'LARGE', 'X2_LARGE']),
  rule('timeout-present', 'error', 'timeout', 'exists'),
  rule('timeout-maximum', 'error', 'timeout', 'lte', 60),
  rule('timeout-minimum', 'error', 'timeout', 'gte', 5),
  rule('timeout-usual', 'warning', 'timeout', 'lt', 45),
  rule('timeout-generous', 'warning', 'timeout', 'gt', 5),
  rule('failure-stops', 'critical', 'failureBehavior', 'eq', 'fail'),
  rule('failure-known', 'error', 'failureBehavior', 'in', ['fail', 'warn', 'ignore']),
  rule('output-present', 'error', 'primaryOutputDirectory', 'notEmpty'),
  rule('output-narrow', 'warning', 'primaryOutputDirectory', 'notContains', '*'),
  rule('output-relative', 'error', 'primaryOutputDirectory', 'regex', '^[^/]'),
  rule('dockerfile-present', 'error', 'dockerfile', 'notEmpty'),
  rule('dockerfile-name', 'warning', 'dockerfile', 'regex', '^[A-Za-z0-9_.-]{1,64}$'),
  rule('build-type', 'error', 'buildType', 'eq', 'build_image'),
  rule('commands-present', 'error', 'commands', 'countGt', 0),
  rule('commands-few', 'warning', 'commands', 'countLt', 5),
  rule('commands-strict', 'error', 'commands.0', 'contains', 'set -e'),
  rule('commands-no-sudo', 'critical', 'commands.0', 'notContains', 'sudo '),
  rule('install-present', 'warning', 'installCommands', 'notEmpty'),
  rule('install-few', 'warning', 'installCommands', 'countLt', 6),
  rule('install-no-sudo', 'critical', 'installCommands.0', 'notContains', 'sudo '),
  rule('env-few', 'warning', 'env', 'countLt', 10),
  rule('env-no-debug', 'warning', 'env.DEBUG', 'notExists'),
  rule('env-no-key', 'critical', 'env.AWS_SECRET_ACCESS_KEY', 'notExists'),
  rule('env-region', 'error', 'env.AWS_REGION', 'neq', 'us-gov-west-1'),
  rule('secrets-few', 'warning', '$count(secrets)', 'lt', 3),
  rule('no-root', 'critical', 'usesRootUser', 'neq', true),
  rule('no-privileges', 'critical', 'metadata.aws:cdk:codebuild:buildenvironment:privileged', 'neq', true),
  rule('no-host-network', 'critical', 'metadata.hostNetwork', 'notExists'),
  rule('smoke-test-present', 'warning', 'smokeTest', 'exists'),
  {
    ...rule('owned', 'warning', '', 'exists'),
    ...any({ field: 'ownerId', operator: 'exists' }, { field: 'labels.team', operator: 'notEmpty' }),
  },
  {
    ...rule('large-is-quick', 'warning', '', 'exists'),
    ...any({ field: 'computeType', operator: 'neq', value: 'LARGE' }, { field: 'timeout', operator: 'lte', value: 30 }),
  },
  {
    ...rule('security-stops', 'error', '', 'exists'),
    ...any(
      { field: 'category', operator: 'neq', value: 'security' },
      { field: 'failureBehavior', operator: 'eq', value: 'fail' },
    ),
  },
  {
    ...rule('deploy-bounded', 'error', '', 'exists'),
    conditions: [
      { field: 'timeout', operator: 'lte', value: 45 },
      { field: 'env', operator: 'countLt', value: 9 },
    ],
  },
]

export const rules: readonly Rule[] = written.map(withoutEmptyField)

function any(...conditions: readonly Condition[]): Pick<Rule, 'conditions' | 'conditionMode'> {
  return { conditions, conditionMode: 'any' }
}

/** A rule with conditions must not have its own field. */
function withoutEmptyField(given: Rule): Rule {
  if (!given.conditions) return given
  const { field: _, operator: __, ...rest } = given
  return rest
}

/**
 * Larger sets: the same 52 shapes with different bounds, lists and patterns. 12 % of the rules have a pattern of their
 * own.
 */
export function manyRules(count: number): readonly Rule[] {
  return Array.from({ length: count }, (_, index): Rule => {
    const shape = rules[index % rules.length] as Rule
    const id = `rule-${index}`
    if (index % 25 < 3) {
      const value = `^[a-z][a-z0-9-]{${1 + (index % 9)},63}-?${index.toString(36)}$`
      return { ...shape, id, name: id, conditions: null, field: 'name', operator: 'regex', value }
    }
    return { ...shape, id, name: id, ...(shape.operator === 'regex' ? NOT_EMPTY : distinct(shape.value, index)) }
  })
}

const NOT_EMPTY = { operator: 'lengthGt', value: 1 } as const

function distinct(value: Rule['value'], index: number): Partial<Pick<Rule, 'value'>> {
  if (typeof value === 'number') return { value: value + (index % 7) }
  if (typeof value === 'string') return { value: index % 2 === 0 ? value : `${value}-${index}` }
  return Array.isArray(value) ? { value: [...value, `item-${index}`] } : {}
}
