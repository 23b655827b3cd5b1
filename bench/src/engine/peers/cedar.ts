/**
 * cedar-wasm: a `forbid … unless` policy per rule, parsed in advance. The determining policies are the failed rules.
 *
 * Cedar has no patterns, no element by position and no size of a set. Such rules read a boolean that is computed before
 * the clock starts, which favours Cedar. The conversion of entities to Cedar's values is not measured either.
 */
import { createRequire } from 'node:module'
import type { Rule } from '@plumbline/engine'
import type { Entity } from '../entities.js'
import { type Check, checksOf, mentions, type Peer, size } from './peer.js'

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')
type Call = Parameters<Cedar['statefulIsAuthorized']>[0]

const SET = 'plugin-rules'

export function cedarPeer(rules: readonly Rule[]): Peer {
  const cedar = createRequire(import.meta.url)('@cedar-policy/cedar-wasm/nodejs') as Cedar
  const facts: { name: string; check: Check }[] = []
  const staticPolicies: Record<string, string> = { base: 'permit(principal, action, resource);' }
  for (const rule of rules) {
    const join = rule.conditionMode === 'any' ? ' || ' : ' && '
    const condition = checksOf(rule)
      .map((check) => `(${expression(check, facts)})`)
      .join(join)
    staticPolicies[String(rule.id)] = `forbid(principal, action, resource) unless { ${condition} };`
  }
  const parsed = cedar.preparsePolicySet(SET, { staticPolicies })
  if (parsed.type === 'failure') throw new Error(`cedar cannot read the rules: ${JSON.stringify(parsed.errors[0])}`)
  return {
    name: 'cedar-wasm (pre-parsed)',
    note: `${facts.length} of its checks read a fact computed beforehand`,
    prepare(entity): Call {
      return {
        principal: { type: 'Team', id: 'team' },
        action: { type: 'Action', id: 'publish' },
        resource: { type: 'Plugin', id: 'plugin' },
        context: contextOf(entity, facts) as Call['context'],
        preparsedPolicySetId: SET,
        entities: [],
      }
    },
    check(prepared) {
      const answer = cedar.statefulIsAuthorized(prepared as Call)
      if (answer.type === 'failure') throw new Error(`cedar failed: ${JSON.stringify(answer.errors[0])}`)
      const { decision, diagnostics } = answer.response
      return decision === 'deny' ? diagnostics.reason.map((ruleId) => ({ ruleId })) : []
    },
  }
}

function expression(check: Check, facts: { name: string; check: Check }[]): string {
  const { keys, operator, value } = check
  const subject = `context${keys.map((key) => `[${JSON.stringify(key)}]`).join('')}`
  const present = keys
    .map(
      (key, i) =>
        `context${keys
          .slice(0, i)
          .map((each) => `[${JSON.stringify(each)}]`)
          .join('')} has ${JSON.stringify(key)}`,
    )
    .join(' && ')
  const json = JSON.stringify(value)
  switch (operator) {
    case 'eq':
      return `${present} && ${subject} == ${json}`
    case 'neq':
      return `!(${present} && ${subject} == ${json})`
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      if (check.isCount) break
      return `${present} && ${subject} ${SIGNS[operator]} ${json}`
    }
    case 'in':
      return `${present} && ${json}.contains(${subject})`
    case 'notIn':
      return `!(${present} && ${json}.contains(${subject}))`
    case 'exists':
      return present
    case 'notExists':
      return `!(${present})`
  }
  const name = `fact_${facts.length}`
  facts.push({ name, check })
  return `context.${name}`
}

const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function contextOf(entity: Entity, facts: readonly { name: string; check: Check }[]): Record<string, unknown> {
  const context: Record<string, unknown> = {}
  for (const key of KEYS) {
    const found = entity[key]
    if (found !== undefined) context[key] = typeof found === 'object' ? true : found
  }
  context.env = entity.env ?? {}
  context.metadata = entity.metadata ?? {}
  for (const { name, check } of facts) context[name] = holds(entity, check)
  return context
}

/** The fields that the rules read. For an object the rules read only whether it exists. */
const KEYS = [
  'name',
  'version',
  'category',
  'pluginType',
  'computeType',
  'timeout',
  'failureBehavior',
  'primaryOutputDirectory',
  'dockerfile',
  'buildType',
  'ownerId',
  'smokeTest',
  'usesRootUser',
] as const

function holds(entity: Entity, { keys, isCount, operator, value }: Check): boolean {
  const found = keys.reduce<unknown>(
    (each, key) => (typeof each === 'object' && each !== null ? (each as Entity)[key] : undefined),
    entity,
  )
  const bound = Number(value)
  if (isCount) return (size(found) || 0) < bound
  if (operator === 'regex') return typeof found === 'string' && new RegExp(String(value)).test(found)
  if (operator === 'contains') return mentions(found, String(value))
  if (operator === 'notContains') return !mentions(found, String(value))
  if (operator === 'notEmpty') return size(found) > 0
  return operator.endsWith('Gt') ? size(found) > bound : size(found) < bound
}
