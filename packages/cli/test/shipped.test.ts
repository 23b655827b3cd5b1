/**
 * Nothing that is shipped refuses another shipped thing: every sample, every file of `init` and every instantiated
 * pipeline template passes every rule library, the sample rules, the rules of `init` and the compliance templates.
 *
 * Intended refusals are listed here, rule by rule. An entry that is no longer needed is an error as well.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileRules, projectEntity, projection, type Rule, type Target } from '@plumbline/engine'
import { libraries } from '@plumbline/rules'
import { describe, expect, it } from 'vitest'
import { TEMPLATES } from '../../server/src/compliance/template/built-in.js'
import { checkProps, resolveProps } from '../../server/src/pipeline/props/check.js'
import { findCredentials } from '../../server/src/pipeline/props/credentials.js'
import { type Props, PropsSchema } from '../../server/src/pipeline/props/schema.js'
import { STARTERS } from '../../server/src/pipeline/starter/starters.js'
import { readInputs } from '../../server/src/pipeline/template/inputs.js'
import { BUILD_TYPES, COMPUTE_TYPES, FAILURE_BEHAVIORS, PLUGIN_TYPES } from '../../server/src/plugin/manifest/schema.js'
import { problems } from '../../server/src/runtime/operation/schema.js'
import { starterFiles } from '../src/init/starter-files.js'
import { entitiesOf } from '../src/input/entities.js'
import { parseText } from '../src/input/parse-text.js'

const samples = fileURLToPath(new URL('../../../samples/', import.meta.url))

interface Shipped {
  readonly from: string
  readonly target: Target
  readonly attributes: Readonly<Record<string, unknown>>
  readonly unknownKeys: readonly string[]
}

const fileEntities = (from: string, target: Target, text: string): Shipped[] =>
  entitiesOf(parseText(from, text).documents, { target }).entities.map(({ attributes, unknownKeys }) => ({
    from,
    target,
    attributes,
    unknownKeys,
  }))

/** Files whose names begin with `refused-` or `old-` exist to show findings. */
const sampleEntities = (['plugin', 'pipeline'] as const).flatMap((target) =>
  readdirSync(join(samples, `${target}s`))
    .filter((file) => !/^(refused|old)-/.test(file))
    .flatMap((file) => fileEntities(file, target, readFileSync(join(samples, `${target}s`, file), 'utf8'))),
)

const files = starterFiles('github', [])
const initEntities = files
  .filter(({ path }) => /^(plugins|pipelines)\//.test(path))
  .flatMap(({ path, text }) => fileEntities(`init: ${path}`, path.startsWith('plugins') ? 'plugin' : 'pipeline', text))

/** Inputs as a user would fill them in. Inputs with a default keep it. */
const EXAMPLES: Readonly<Record<string, string>> = { repository: 'example/web-shop' }

const instances = STARTERS.map((starter) => {
  const required = starter.inputs.filter((input) => input.required === true)
  const sent = Object.fromEntries(required.map(({ name }) => [name, EXAMPLES[name] ?? 'example']))
  const { values, issues } = readInputs(starter.inputs, sent, '/inputs')
  const props: Props = {
    ...starter.props,
    project: 'web-shop',
    organization: 'example',
    vars: { ...starter.props.vars, ...values },
  }
  const input = {
    project: 'web-shop',
    organization: 'example',
    description: starter.description,
    keywords: starter.keywords,
    props,
    templateId: '0190a1b2-0000-7000-8000-00000000000a',
    templateVersion: 1,
  }
  return { starter, issues, props, input }
})
const templateEntities = instances.map(({ starter, props, input }): Shipped => {
  const from = `template: ${starter.name}`
  const [known] = fileEntities(from, 'pipeline', JSON.stringify(input))
  const attributes = projectEntity('pipeline', { ...input, props: resolveProps(props, '/props').value })
  return { from, target: 'pipeline', attributes, unknownKeys: known?.unknownKeys ?? ['not read'] }
})

const rulesOfText = (file: string, text: string): Rule[] =>
  parseText(file, text).documents.flatMap(({ value }) => (value as { readonly rules: Rule[] }).rules)

const ruleSets: Readonly<Record<string, readonly Rule[]>> = {
  ...Object.fromEntries(Object.entries(libraries).map(([name, rules]) => [name, rules.map(({ rule }) => rule)])),
  samples: readdirSync(join(samples, 'rules')).flatMap((file) =>
    rulesOfText(file, readFileSync(join(samples, 'rules', file), 'utf8')),
  ),
  init: files.filter(({ path }) => path.includes('/rules/')).flatMap(({ path, text }) => rulesOfText(path, text)),
  templates: TEMPLATES.map(({ category: _, ...template }) => template),
}

/** Each text that a condition of the rule compares a field with. */
function comparisons(part: unknown): { field: string; value: string }[] {
  if (typeof part !== 'object' || part === null) return []
  const { field, operator, value } = part as Record<string, unknown>
  const values = ['eq', 'neq', 'in', 'notIn'].includes(String(operator)) ? [value].flat() : []
  return [
    ...values.map((each) => ({ field: String(field), value: String(each) })),
    ...Object.values(part).flatMap(comparisons),
  ]
}

/** The rules that are meant to refuse each sample, because samples show findings. */
const INTENDED: Readonly<Record<string, readonly string[]>> = {
  'billing-api.yaml': [
    'advanced: advanced-pipeline-critical-approval',
    'advanced: advanced-pipeline-critical-contact',
    'advanced: advanced-pipeline-critical-recovery',
    'advanced: advanced-pipeline-critical-security-stage',
    'advanced: advanced-pipeline-critical-team-owned',
  ],
  'chat-notify.json': [
    'starter: starter-plugin-no-credentials-in-env',
    'standard: standard-plugin-env-no-credentials',
    'samples: plugin-env-without-credentials',
  ],
  'database-migration.yaml': [
    'advanced: advanced-plugin-critical-image-by-digest',
    'advanced: advanced-plugin-critical-reviewed',
    'advanced: advanced-plugin-critical-runbook',
    'advanced: advanced-plugin-critical-team-owned',
    'advanced: advanced-plugin-critical-unprivileged',
    'samples: plugin-unprivileged',
    'samples: plugin-critical-has-runbook',
    'init: plugin-unprivileged',
  ],
  'docs-site.yaml': [
    'standard: standard-pipeline-synth-plugin-fixed',
    'samples: pipeline-not-public-by-accident',
    'samples: pipeline-synth-plugin-pinned',
  ],
  'image-scan.yaml': [
    'advanced: advanced-plugin-critical-image-by-digest',
    'advanced: advanced-plugin-critical-reviewed',
    'advanced: advanced-plugin-critical-team-owned',
    'samples: security-plugin-fails-the-pipeline',
  ],
  'infrastructure-plan.json': [
    'starter: starter-plugin-fixed-image-tag',
    'standard: standard-plugin-image-fixed',
    'advanced: advanced-dockerfile-no-latest',
    'advanced: advanced-plugin-critical-image-by-digest',
    'advanced: advanced-plugin-critical-reviewed',
    'advanced: advanced-plugin-critical-team-owned',
    'samples: plugin-image-not-latest',
    'samples: dockerfile-base-pinned',
  ],
  'load-test.yaml': [
    'starter: starter-plugin-bounded-timeout',
    'standard: standard-plugin-timeout-bounded',
    'samples: plugin-timeout-bounded',
    'init: plugin-timeout-bounded',
    'templates: max-plugin-timeout',
  ],
  'node-build.yaml': ['advanced: advanced-plugin-critical-reviewed', 'advanced: advanced-plugin-critical-team-owned'],
  'service-image.yaml': [
    'advanced: advanced-plugin-critical-reviewed',
    'advanced: advanced-plugin-critical-team-owned',
  ],
  'static-site-deploy.yaml': ['samples: deploy-plugin-declares-secret'],
  'supply-chain-tools.yaml': [
    'starter: starter-plugin-fixed-image-tag',
    'standard: standard-plugin-image-fixed',
    'samples: plugin-image-tagged',
    'init: plugin-version-semver',
    'templates: enforce-semver',
  ],
  'web-shop.yaml': [
    'advanced: advanced-pipeline-critical-approval',
    'advanced: advanced-pipeline-critical-contact',
    'advanced: advanced-pipeline-critical-recovery',
    'advanced: advanced-pipeline-critical-team-owned',
    'advanced: advanced-pipeline-critical-test-stage',
  ],
}

const shipped = [...sampleEntities, ...initEntities, ...templateEntities]

describe('what ships', () => {
  it('is all here', () => {
    expect([sampleEntities.length, initEntities.length, templateEntities.length].every((count) => count > 1)).toBe(true)
    expect(Object.values(ruleSets).every((rules) => rules.length > 2)).toBe(true)
  })

  it('refuses nothing else that ships', () => {
    const refused = Object.entries(ruleSets).flatMap(([name, rules]) => {
      const ruleSet = compileRules(rules, { strict: true })
      return shipped.flatMap(({ from, target, attributes }) =>
        ruleSet
          .evaluate(attributes, { target })
          .violations.filter(({ severity }) => severity !== 'warning')
          .map(({ ruleName }) => ({ from, rule: `${name}: ${ruleName}` })),
      )
    })
    const found: Record<string, string[]> = {}
    for (const { from, rule } of refused) {
      const rules = found[from] ?? []
      if (!rules.includes(rule)) found[from] = [...rules, rule]
    }
    expect(found).toEqual(INTENDED)
  })

  it.each(instances)('$starter.name is taken by the server when it is instantiated', ({ issues, props }) => {
    expect(issues).toEqual([])
    expect(checkProps(props, { project: 'web-shop', organization: 'example' }, '/props')).toEqual([])
    expect(findCredentials(props, '/props')).toEqual([])
  })

  it('has pipelines that the server takes', () => {
    const pipelines = [...sampleEntities, ...initEntities].filter(({ target }) => target === 'pipeline')
    const refused = pipelines.flatMap(({ from, attributes: { props } }) =>
      [...problems(PropsSchema, props, '/props'), ...findCredentials(props, '/props')].map((each) => ({ from, each })),
    )
    expect(refused).toEqual([])
  })

  it('has no key that rules do not see', () => {
    expect(shipped.filter(({ unknownKeys }) => unknownKeys.length > 0)).toEqual([])
  })

  it('has rules that compare a field with values that it can have', () => {
    const known: Readonly<Record<string, readonly string[]>> = {
      computeType: COMPUTE_TYPES,
      failureBehavior: FAILURE_BEHAVIORS,
      pluginType: PLUGIN_TYPES,
      buildType: BUILD_TYPES,
    }
    const compared = Object.entries(ruleSets).flatMap(([name, rules]) =>
      rules.flatMap((rule) => comparisons(rule).map((each) => ({ rule: `${name}: ${rule.name}`, ...each }))),
    )
    const listed = compared.filter(({ field }) => field in known)
    expect(listed.length).toBeGreaterThan(3)
    expect(listed.filter(({ field, value }) => !known[field]?.includes(value))).toEqual([])
  })

  it('has compliance templates that read what the platform sends', () => {
    const unread = TEMPLATES.filter(({ target, field }) => {
      const aliases = projection.aliases[target].map(({ alias }) => alias)
      return ![...projection.keys[target], ...aliases].includes(field.split('.')[0] ?? '')
    })
    expect(unread.map(({ id }) => id)).toEqual([])
  })
})
