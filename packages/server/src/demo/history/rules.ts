/** The rules of the demo's organization: a policy, and rules of each severity and mode. */
import { type Hands, idIn } from './hands.js'
import type { Ids } from './records.js'

const ORGANIZATION_RULES = [
  {
    name: 'Pipelines deploy from main',
    target: 'pipeline',
    severity: 'critical',
    description: 'Reviewed code alone is deployed: set `props.synth.source.options.branch` to `main`.',
    field: 'props.synth.source.options.branch',
    operator: 'eq',
    value: 'main',
    tags: ['change-management'],
  },
  {
    name: 'Pipelines name a team',
    target: 'pipeline',
    severity: 'error',
    description: 'So that a team answers when a deployment fails at night: set `labels.team`.',
    field: 'labels.team',
    operator: 'exists',
    tags: ['ownership'],
  },
  {
    name: 'Pipelines have keywords',
    target: 'pipeline',
    severity: 'warning',
    mode: 'warn',
    description: 'So that a pipeline is found by what it serves: add at least one of `keywords`.',
    field: 'keywords',
    operator: 'notEmpty',
    tags: ['catalog'],
  },
  {
    name: 'Plugins run on small or medium machines',
    target: 'plugin',
    severity: 'error',
    description:
      'Large machines cost eight times as much: set `computeType` to `SMALL` or `MEDIUM`, or ask for an exemption.',
    field: 'computeType',
    operator: 'notIn',
    value: ['LARGE', 'X2_LARGE'],
    tags: ['cost'],
  },
  {
    name: 'Plugins name a team',
    target: 'plugin',
    severity: 'warning',
    mode: 'observe',
    description: 'So that the people who use a plugin know whom to ask: set `labels.team`.',
    field: 'labels.team',
    operator: 'exists',
    tags: ['ownership'],
  },
  {
    name: 'Plugins have keywords',
    target: 'plugin',
    severity: 'warning',
    mode: 'observe',
    description: 'A step without `keywords` is found by its name alone: add at least one.',
    field: 'keywords',
    operator: 'notEmpty',
    tags: ['catalog'],
  },
] as const

export type RuleName = (typeof ORGANIZATION_RULES)[number]['name']

export async function createRules({ send }: Hands): Promise<Ids> {
  const ids: Record<string, string> = {}
  for (const rule of ORGANIZATION_RULES) {
    const made = await send('demo-admin', 'POST', '/compliance/rules', rule)
    ids[rule.name] = idIn(made, 'rule')
  }
  await send('demo-owner', 'POST', '/compliance/policies', {
    name: 'Delivery baseline',
    description: 'What every delivery at Acme fulfils.',
    version: '1.0.0',
    ruleIds: ORGANIZATION_RULES.filter(({ severity }) => severity !== 'warning').map(({ name }) => ids[name]),
  })
  return ids
}
