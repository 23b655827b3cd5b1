import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type Attributes,
  compileRules,
  evaluateRules,
  type Finding,
  lintRules,
  parseFieldPath,
  projectEntity,
  projection,
  type Rule,
  type Target,
  validateRule,
} from '@plumbline/engine'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../scripts/catalogue.js'
import { frameworks } from '../src/frameworks.js'
import { type LibraryName, type LibraryRule, libraries, libraryPolicies, libraryRules } from '../src/index.js'
import { modelEntities } from './model-entities.js'

const names = Object.keys(libraries) as LibraryName[]
const rulesOf = (entries: readonly LibraryRule[]): Rule[] => entries.map(({ rule }) => rule)

/** The advanced library is sold with the standard one and stands on it. */
const inForce: { readonly [name in LibraryName]: readonly Rule[] } = {
  starter: rulesOf(libraries.starter),
  standard: rulesOf(libraries.standard),
  advanced: rulesOf([...libraries.standard, ...libraries.advanced]),
}
const compiled = new Map(names.map((name) => [name, compileRules(inForce[name])]))

const violated = (library: LibraryName, target: Target, entity: Attributes): string[] =>
  (compiled.get(library)?.evaluate(projectEntity(target, entity), { target }).violations ?? []).map(
    ({ ruleName }) => ruleName,
  )

/** A rule that blocks where another one warns, for fewer entities, says so. */
const isEscalation = ({ code, rules: [rule, other] }: Finding): boolean =>
  code === 'subsumed' && libraryRules.some((entry) => entry.rule.name === rule?.name && entry.escalates === other?.name)

/** What is said of a model entity replaces what was said; maps are joined. */
const withChanges = (entity: unknown, changes: unknown): unknown => {
  if (!isMap(entity) || !isMap(changes)) return changes
  const joined = Object.entries(changes).map(([key, value]) => [key, withChanges(entity[key], value)])
  return { ...entity, ...Object.fromEntries(joined) }
}
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const modelWith = (target: Target, changes: Attributes) => withChanges(modelEntities[target], changes) as Attributes

/** The fields of the rule; without a gate, which alone would be closed. */
const checks = (rule: Rule) => (rule.conditions ?? [rule]).filter((condition) => 'field' in condition)

describe.each(names)('the %s library', (name) => {
  test('has rules that an author could save', () => {
    for (const { rule } of libraries[name]) expect(validateRule(rule), rule.name).toEqual([])
  })

  test('reads only what the platform sends', () => {
    for (const { rule } of libraries[name]) {
      // No aliases: anyone who asks for a dry run sends attributes that nobody has projected.
      const known = projection.keys[rule.target]
      for (const { field } of checks(rule)) {
        const path = parseFieldPath(String(field))
        expect(path.ok, `${rule.name}: ${field}`).toBe(true)
        expect(known, `${rule.name}: ${field}`).toContain(/^(?:\$[a-z]+\()*([A-Za-z]+)/.exec(String(field))?.[1])
      }
    }
  })

  test('names in its text each label, metadata key and link that a rule reads', () => {
    for (const { rule } of libraries[name]) {
      for (const { field, value } of checks(rule)) {
        const claim = /^(?:labels|metadata)(?:\.(.+)|\["(.+)"\])$/.exec(String(field))
        if (claim !== null) expect(rule.description, rule.name).toContain(claim[1] ?? claim[2])
        const title = /^links\[/.test(String(field)) ? /^\^\[.(.)\](.+)$/.exec(String(value)) : null
        if (title !== null) expect(rule.description.toLowerCase(), rule.name).toContain(`"${title[1]}${title[2]}`)
      }
    }
  })

  test('has nothing in it that the static analysis would report', () => {
    const findings = lintRules(inForce[name]).filter((finding) => finding.status === 'proved' && !isEscalation(finding))
    expect(findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
  })

  test('asks for nothing that the model entities lack', () => {
    for (const target of ['plugin', 'pipeline'] as const) {
      expect(violated(name, target, modelEntities[target]), target).toEqual([])
    }
  })

  test.each(libraries[name].map((entry) => [entry.rule.name, entry] as const))(
    '%s',
    (_, { rule, escalates, passes, fails }) => {
      const { target } = rule
      const alone = { ...rule, conditions: rule.conditions?.filter((condition) => 'field' in condition) ?? null }
      const outcome = (entity: Attributes) => evaluateRules([alone], projectEntity(target, entity)).passed
      expect(outcome(passes), 'its passing entity').toBe(true)
      expect(outcome(fails), 'its failing entity').toBe(false)
      // In its library: a change of a model entity that nobody minds, and one that this rule alone minds.
      expect(violated(name, target, modelWith(target, passes))).toEqual([])
      expect(violated(name, target, modelWith(target, fails))).toEqual([
        rule.name,
        ...(escalates === null ? [] : [escalates]),
      ])
    },
  )
})

test('nobody is taken for what they only resemble', () => {
  const commands = [
    'set -e\necho "$SUM  tool.tgz" > tool.sha256\nsha256sum -c tool.sha256',
    'rsync -e ssh --delete dist/ host.example.com:/srv/shop',
    'npx lerna publish --no-verify-access --yes',
    'cf push -f manifest.yml',
    'declare -x PATH="$PATH:/opt/bin"',
    'printenv NODE_ENV',
    'echo "$TOKEN" | docker login --password-stdin registry.example.com',
    'curl --keepalive-time 5 -fsS https://shop.example.com/health',
    'git push --tags',
    'kubectl set image deployment/shop shop=registry.example.com/shop:1.4.2',
  ]
  const dockerfile = [
    'FROM registry.example.com/base/node:22.11.0',
    'RUN curl -fsSLo t.tgz https://tools.example.com/t.tgz && echo "4e4e  t.tgz" | sha256sum -c -',
    'RUN apt-get update && apt-get install -y openssh-client && chmod 755 /opt',
    'USER node',
  ]
  const entity = modelWith('plugin', { commands, dockerfile: dockerfile.join('\n'), env: { TOKEN_FILE: 'token' } })
  for (const name of names) expect(violated(name, 'plugin', entity), name).toEqual([])
})

test('rules and policies have names of their own', () => {
  const all = libraryRules.map(({ rule }) => rule.name)
  expect(new Set(all).size).toBe(all.length)
  expect(new Set(libraryPolicies.map(({ name }) => name)).size).toBe(libraryPolicies.length)
})

test('a gate names a rule of the same library that comes earlier', () => {
  for (const name of names) {
    const earlier: string[] = []
    for (const { rule } of libraries[name]) {
      for (const { dependsOnRule } of rule.conditions ?? []) {
        if (dependsOnRule !== undefined) expect(earlier, rule.name).toContain(dependsOnRule)
      }
      earlier.push(rule.name)
    }
  }
})

test('the libraries are as large as they are sold', () => {
  expect(names.map((name) => libraries[name].length)).toEqual([10, 23, 80])
})

describe('tags', () => {
  test('say the set; the starter rules have none', () => {
    for (const { rule, library } of libraryRules) {
      const sets = rule.tags.filter((tag) => tag.startsWith('set:'))
      expect(sets, rule.name).toEqual(library === 'starter' ? [] : [`set:${library}`])
    }
  })

  test('say framework and control exactly as the text gives reasons', () => {
    for (const { rule, controls, library } of libraryRules) {
      expect(controls.length > 0, rule.name).toBe(library === 'advanced')
      expect(rule.tags.filter((tag) => tag.startsWith('control:'))).toEqual(controls.map(({ id }) => `control:${id}`))
      expect(rule.tags.filter((tag) => tag.startsWith('framework:'))).toEqual(
        controls.map(({ framework }) => `framework:${framework}`),
      )
      for (const { framework, id, why } of controls) {
        expect(rule.description).toContain(`${frameworks[framework].title} ${id}: ${why}`)
      }
      expect(new Set(rule.tags).size, rule.name).toBe(rule.tags.length)
    }
  })

  test('have control ids in the form of their framework and of no other', () => {
    for (const [own, { controls }] of Object.entries(frameworks)) {
      for (const id of Object.keys(controls)) {
        const forms = Object.entries(frameworks).filter(([, { controlId }]) => controlId.test(id))
        expect(
          forms.map(([name]) => name),
          id,
        ).toEqual([own])
      }
    }
  })

  test('cite every control that the tables name', () => {
    for (const [name, { controls }] of Object.entries(frameworks)) {
      const cited = new Set(
        libraryRules.flatMap((entry) =>
          entry.controls.filter(({ framework }) => framework === name).map(({ id }) => id),
        ),
      )
      expect([...cited].sort()).toEqual(Object.keys(controls).sort())
    }
  })

  test('never give one reason twice', () => {
    const reasons = libraryRules.flatMap(({ controls }) => controls.map(({ why }) => why))
    const twice = reasons.filter((why, index) => reasons.indexOf(why) !== index)
    expect(twice).toEqual([])
  })
})

describe('policies', () => {
  test('name rules of their own library, each once', () => {
    for (const policy of libraryPolicies) {
      const known = libraries[policy.library].map(({ rule }) => rule.name)
      for (const rule of policy.rules) expect(known, policy.name).toContain(rule)
      expect(new Set(policy.rules).size, policy.name).toBe(policy.rules.length)
    }
  })

  test('leave no rule out', () => {
    const grouped = new Set(libraryPolicies.flatMap(({ rules }) => rules))
    expect(libraryRules.map(({ rule }) => rule.name).filter((name) => !grouped.has(name))).toEqual([])
  })

  test('can be copied with their rules only where nobody pays for them', () => {
    for (const { library, isTemplate } of libraryPolicies) expect(isTemplate).toBe(library === 'starter')
    expect(libraryPolicies.filter(({ isTemplate }) => isTemplate).map(({ name }) => name)).toEqual([
      'security-baseline',
      'production-readiness',
      'quality-standards',
      'naming-conventions',
      'cost-optimization',
    ])
  })
})

test('the page of the documentation has every rule as it is', () => {
  const page = fileURLToPath(new URL('../../../docs/reference/rule-catalogue.md', import.meta.url))
  expect(readFileSync(page, 'utf8'), 'npm run generate').toBe(catalogue())
})
