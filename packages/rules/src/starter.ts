/** Ten rules to start with. They belong to no set, so every organization can subscribe to them and copy them. */
import { hasNoKey, imageIsFixed } from './checks.js'
import { type Entry, libraryRule } from './entry.js'

const entries: readonly Entry[] = [
  {
    name: 'starter-plugin-ordinary-user',
    target: 'plugin',
    severity: 'warning',
    asks: 'A plugin does not run as root: what its commands break then stays inside what the user may touch. A Dockerfile without USER runs as root, and most are written so; that is why this warns.',
    tags: ['security'],
    check: { field: 'usesRootUser', operator: 'neq', value: true },
    passes: { usesRootUser: false },
    fails: { usesRootUser: true },
  },
  {
    name: 'starter-plugin-no-credentials-in-env',
    target: 'plugin',
    severity: 'critical',
    asks: 'Credentials are declared under `secrets`. An environment variable is stored in plain text and ends up in build logs.',
    tags: ['security', 'secrets'],
    check: hasNoKey('env', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'NPM_TOKEN', 'PASSWORD'),
    passes: { env: { NODE_ENV: 'production' }, secrets: [{ name: 'NPM_TOKEN', required: true }] },
    fails: { env: { NPM_TOKEN: 'placeholder' } },
  },
  {
    name: 'starter-pipeline-token-by-reference',
    target: 'pipeline',
    severity: 'critical',
    asks: 'The token of a source is a reference into the secret store, never the token itself: everybody who can read the pipeline can read its properties.',
    tags: ['security', 'secrets'],
    check: {
      any: [
        { field: 'props.synth.source.options.token', operator: 'notExists' },
        { field: 'props.synth.source.options.token', operator: 'regex', value: '^(secretsmanager|secret):' },
      ],
    },
    passes: { props: { synth: { source: { options: { token: 'secretsmanager:example/source-token' } } } } },
    fails: { props: { synth: { source: { options: { token: 'placeholder-for-a-token' } } } } },
  },
  {
    name: 'starter-plugin-semantic-version',
    target: 'plugin',
    severity: 'error',
    asks: 'The version of a plugin is major.minor.patch, so that people can tell a correction from a break.',
    tags: ['quality', 'versioning'],
    check: { field: 'version', operator: 'regex', value: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$' },
    passes: { version: '1.4.0-rc.1' },
    fails: { version: 'latest' },
  },
  {
    name: 'starter-plugin-fixed-image-tag',
    target: 'plugin',
    severity: 'error',
    asks: 'The image of a plugin has a tag other than `latest`, or a digest; `latest` means something else tomorrow, and so does an image without a tag. Write `node:22.11.0` in place of `node`.',
    tags: ['security', 'supply-chain'],
    check: imageIsFixed,
    passes: { baseImage: 'node:22.11.0' },
    fails: { baseImage: 'node:latest' },
  },
  {
    name: 'starter-plugin-bounded-timeout',
    target: 'plugin',
    severity: 'error',
    asks: 'A plugin that states a timeout stays within two hours; a step that hangs longer costs money and holds up everybody behind it.',
    tags: ['cost', 'runtime'],
    check: {
      any: [
        { field: 'timeout', operator: 'notExists' },
        { field: 'timeout', operator: 'lte', value: 120 },
      ],
    },
    passes: { timeout: 45 },
    fails: { timeout: 600 },
  },
  {
    name: 'starter-plugin-description',
    target: 'plugin',
    severity: 'warning',
    asks: 'A sentence of at least 20 characters says what a plugin does, so that people need not read its commands to choose it.',
    tags: ['quality', 'documentation'],
    check: { field: 'description', operator: 'lengthGt', value: 19 },
    passes: { description: 'Builds and packs a Node service.' },
    fails: { description: 'Build' },
  },
  {
    name: 'starter-plugin-name-format',
    target: 'plugin',
    severity: 'warning',
    asks: 'A plugin name has two to fifty lower-case letters, digits and hyphens and begins with a letter.',
    tags: ['naming'],
    check: { field: 'name', operator: 'regex', value: '^[a-z][a-z0-9-]{0,48}[a-z0-9]$' },
    passes: { name: 'node-build' },
    fails: { name: '2nd_Build' },
  },
  {
    name: 'starter-pipeline-project-format',
    target: 'pipeline',
    severity: 'warning',
    asks: 'The project of a pipeline is written in lower-case letters, digits and hyphens; stacks and buckets are named after it.',
    tags: ['naming'],
    check: { field: 'project', operator: 'regex', value: '^[a-z][a-z0-9-]{1,49}$' },
    passes: { project: 'web-shop' },
    fails: { project: 'Web Shop' },
  },
  {
    name: 'starter-plugin-moderate-compute',
    target: 'plugin',
    severity: 'warning',
    asks: 'The largest compute size costs many times the smallest; a plugin that needs it says why in `metadata.compute-reason`.',
    tags: ['cost'],
    check: {
      any: [
        { field: 'computeType', operator: 'neq', value: 'X2_LARGE' },
        { field: 'metadata.compute-reason', operator: 'notEmpty' },
      ],
    },
    passes: { computeType: 'X2_LARGE', metadata: { 'compute-reason': 'links four million objects' } },
    fails: { computeType: 'X2_LARGE' },
  },
]

export const starterRules = entries.map(libraryRule('starter'))
