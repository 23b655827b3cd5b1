/**
 * What `plumbline init` writes.
 * INVARIANT: these files pass `check`, `test --threshold 100` and `lint` as they are; a test runs all three on them.
 */
import { version } from '../program/version.js'
import type { SchemaKind } from '../schema/kinds.js'
import { schemaText } from '../schema/schemas.js'
import type { CiSystem } from './ci-systems.js'

export interface StarterFile {
  /** Relative to the folder, with forward slashes. */
  readonly path: string
  readonly text: string
}

export const CONFIG_FILE = 'plumbline.config.yaml'

/** Files that `init` writes itself. They are never searched for plugins and pipelines. */
export const isStarterFile = (path: string): boolean =>
  path.startsWith('compliance/') || path.startsWith('plumbline.config.')

/** @param files the plugins and pipelines that exist already. If there are none, an example of each is written. */
export function starterFiles(ci: CiSystem, files: readonly string[]): StarterFile[] {
  const examples = [
    { path: 'plugins/example.yaml', text: examplePlugin },
    { path: 'pipelines/example.yaml', text: examplePipeline },
  ]
  return [
    withSchema(CONFIG_FILE, 'config', config(files.length > 0 ? files : ['plugins', 'pipelines'])),
    withSchema('compliance/rules/plugins.yaml', 'rules', pluginRules),
    withSchema('compliance/rules/pipelines.yaml', 'rules', pipelineRules),
    withSchema('compliance/tests/plugins.plumbline-test.yaml', 'test', pluginTests),
    withSchema('compliance/tests/pipelines.plumbline-test.yaml', 'test', pipelineTests),
    ...EDITOR_SCHEMAS.map((kind) => ({ path: schemaPath(kind), text: schemaText(kind) })),
    ...(files.length > 0 ? [] : examples),
    ...(ci === 'github' ? [{ path: '.github/workflows/plumbline.yml', text: githubWorkflow }] : []),
    ...(ci === 'gitlab' ? [{ path: '.gitlab/plumbline.yml', text: gitlabJobs }] : []),
  ]
}

/** The kinds of files that `init` writes, and the exemptions that a user adds later. */
const EDITOR_SCHEMAS = ['config', 'rules', 'test', 'exemptions'] as const satisfies readonly SchemaKind[]

const schemaPath = (kind: SchemaKind): string => `compliance/schemas/${kind}.json`

/**
 * Adds the line by which editors find the schema. It is a path in the repository, so that an editor downloads nothing.
 */
const withSchema = (path: string, kind: (typeof EDITOR_SCHEMAS)[number], text: string): StarterFile => {
  const up = '../'.repeat(path.split('/').length - 1) || './'
  return { path, text: `# yaml-language-server: $schema=${up}${schemaPath(kind)}\n${text}` }
}

const config = (
  files: readonly string[],
): string => `# Settings of plumbline. \`plumbline config print\` shows each value and where it comes from.
rules: compliance/rules
tests: compliance/tests
files:
${files.map((name) => `  - ${yamlText(name)}\n`).join('')}failOn: error
`

/** A name as YAML. A JSON string is valid YAML too. */
const yamlText = (name: string): string => (/^[\w][\w./-]*$/.test(name) ? name : JSON.stringify(name))

const pluginRules = `# Rules for plugins. Warnings are reported; errors and criticals stop the pipeline.
rules:
  - name: plugin-name-format
    description: The name is part of every reference to the plugin, so it is lower-case letters, digits and hyphens.
    target: plugin
    severity: error
    priority: 100
    tags: [naming]
    field: name
    operator: regex
    value: '^[a-z][a-z0-9-]{2,49}$'

  - name: plugin-version-semver
    description: The version is major.minor.patch.
    target: plugin
    severity: error
    priority: 90
    tags: [versioning]
    field: version
    operator: regex
    value: '^\\d+\\.\\d+\\.\\d+$'

  - name: plugin-unprivileged
    description: A plugin does not run as root.
    target: plugin
    severity: critical
    priority: 200
    tags: [security]
    field: usesRootUser
    operator: neq
    value: true

  - name: plugin-timeout-bounded
    description: Every plugin has a timeout between one minute and one hour.
    target: plugin
    severity: error
    priority: 80
    tags: [runtime]
    conditions:
      - { field: timeout, operator: gte, value: 1 }
      - { field: timeout, operator: lte, value: 60 }

  - name: plugin-production-has-owner
    description: What runs in production belongs to somebody. Judged only when the version is a real one.
    target: plugin
    severity: warning
    priority: 10
    tags: [ownership]
    conditionMode: any
    conditions:
      - { dependsOnRule: plugin-version-semver }
      - { field: lifecycle, operator: neq, value: production }
      - { field: ownerId, operator: notEmpty }
`

const pipelineRules = `# Rules for pipelines.
rules:
  - name: pipeline-has-stages
    description: A pipeline has at least one stage.
    target: pipeline
    severity: error
    priority: 100
    tags: [stages]
    field: $count(stages)
    operator: gte
    value: 1

  - name: pipeline-token-from-secret-store
    description: A token is a reference into the secret store, never the token itself.
    target: pipeline
    severity: critical
    priority: 200
    tags: [security]
    conditionMode: any
    conditions:
      - { field: props.synth.source.options.token, operator: notExists }
      - { field: props.synth.source.options.token, operator: regex, value: '^(secretsmanager|secret):' }

  - name: pipeline-described
    description: A sentence says what the pipeline delivers.
    target: pipeline
    severity: warning
    priority: 10
    tags: [documentation]
    field: description
    operator: lengthGt
    value: 15
`

const pluginTests = `# Under \`pass\`, \`fail\` and \`skip\` stand the attributes of a case under its name.
rules: ../rules
target: plugin
tests:
  - rule: plugin-name-format
    pass:
      words joined by hyphens: { name: image-scan }
      three characters: { name: abc }
    fail:
      upper case: { name: Image-scan }
      two characters: { name: ab }
      a trailing space: { name: 'image-scan ' }
      no name: {}

  - rule: plugin-version-semver
    pass:
      three numbers: { version: 1.4.2 }
    fail:
      a word: { version: latest }
      a leading v: { version: v1.4.2 }
      a pre-release: { version: 1.4.2-rc.1 }
      no version: {}

  - rule: plugin-unprivileged
    pass:
      no root: { usesRootUser: false }
      not stated: {}
    fail:
      root: { usesRootUser: true }

  - rule: plugin-timeout-bounded
    pass:
      one minute: { timeout: 1 }
      one hour: { timeout: 60 }
    fail:
      zero: { timeout: 0 }
      an hour and a minute: { timeout: 61 }
      none: {}

  - rule: plugin-production-has-owner
    base: { version: 1.0.0 }
    pass:
      an owner in production: { lifecycle: production, ownerId: team-web }
      nobody in development: { lifecycle: development }
    fail:
      nobody in production: { lifecycle: production }
      an empty owner in production: { lifecycle: production, ownerId: '' }
    skip:
      a version that is not a version: { version: latest, lifecycle: production }

  - name: a plugin that breaks two rules is blocked
    given: { name: image-scan, version: latest, timeout: 0 }
    expect:
      verdict: block
      violations:
        - { rule: plugin-version-semver, field: version }
        - { rule: plugin-timeout-bounded, field: timeout }
      skipped:
        - { rule: plugin-production-has-owner, reason: dependency_failed }
`

const pipelineTests = `rules: ../rules
target: pipeline
tests:
  - rule: pipeline-has-stages
    pass:
      one stage: { props: { stages: [{ stageName: Build }] } }
    fail:
      an empty list: { props: { stages: [] } }
      none: {}

  - rule: pipeline-token-from-secret-store
    pass:
      a reference: { props: { synth: { source: { options: { token: 'secretsmanager:team/token' } } } } }
      no token: {}
    fail:
      a literal: { props: { synth: { source: { options: { token: placeholder } } } } }
      a literal that mentions the store: { props: { synth: { source: { options: { token: 'x secretsmanager:' } } } } }

  - rule: pipeline-described
    pass:
      sixteen characters: { description: Ships a web app. }
    fail:
      fifteen characters: { description: Ships a web app }
      none: {}

  - name: a description that is too short is only a warning
    given:
      description: Web shop
      props: { stages: [{ stageName: Build }] }
    expect: warn
`

const examplePlugin = `name: unit-tests
version: 1.0.0
description: Runs the unit tests of a Node.js project.
category: testing
keywords: [tests, node]
pluginType: CodeBuildStep
computeType: SMALL
timeout: 15
failureBehavior: fail
buildType: prebuilt
baseImage: registry.example.com/build/node:22.12.0
usesRootUser: false
commands:
  - |
    set -e
    npm ci
    npm test
secrets: []
ownerId: team-web
ownerType: team
lifecycle: production
`

const examplePipeline = `project: webshop
organization: Example
pipelineName: web-shop
description: Builds, checks and releases the web shop.
keywords: [shop]
accessModifier: private
lifecycle: experimental
props:
  synth:
    source:
      type: github
      options:
        repo: example/web-shop
        branch: main
        token: secret:SOURCE_TOKEN
    plugin: { name: unit-tests, version: 1.0.0 }
  stages:
    - stageName: Build
      steps:
        - plugin: { name: unit-tests, version: 1.0.0 }
ownerId: team-web
ownerType: team
`

/** With its version, so that the gate gives the same answer tomorrow. */
const CLI = `npx --yes @plumbline/cli@${version}`

/** Nothing is published yet: an unpublished package comes from tarballs that the repository holds. */
const INSTALL = `# @plumbline/cli is not on npm yet: install it from packed tarballs, which package-lock.json then names
# (npm install --save-dev ./vendor/plumbline-cli-*.tgz). npm ci below puts them in place.`

const githubWorkflow = `${INSTALL}
# Rules are taken from the branch that a pull request goes to, so that a change cannot loosen the rules it is
# checked with; the rules that it proposes are tested and linted as well.
name: plumbline
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - if: hashFiles('package-lock.json') != ''
        run: npm ci
      - name: Rules as proposed
        run: |
          ${CLI} test --threshold 100
          ${CLI} lint
      - name: Plugins and pipelines against the rules in force
        if: github.event_name == 'pull_request'
        env:
          BASE: origin/\${{ github.base_ref }}
        run: ${CLI} check --policy-from "$BASE"
      - name: Everything on the main branch
        if: github.event_name == 'push'
        run: ${CLI} check
`

const gitlabJobs = `${INSTALL}
# Add to .gitlab-ci.yml:
#   include: { local: .gitlab/plumbline.yml }
# Rules are taken from the branch that a merge request goes to, so that a change cannot loosen the rules it is checked
# with; the rules that it proposes are tested and linted as well.
plumbline:
  image: node:22
  variables:
    GIT_DEPTH: 0
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
    - if [ -f package-lock.json ]; then npm ci; fi
    - ${CLI} test --threshold 100
    - ${CLI} lint
    - git fetch origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
    - ${CLI} check --policy-from FETCH_HEAD --format pretty --format gitlab=plumbline.json
  artifacts:
    when: always
    reports:
      codequality: plumbline.json
`
