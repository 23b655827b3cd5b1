/**
 * Pipelines and plugins of one organization for measurements of lists. Each filter has a value that half of the rows have, one
 * that a twentieth has and one that a thousandth has, so that each way of a list is met.
 */
import type { PipelineRow } from '../../src/pipeline/tables.js'
import type { PluginRow } from '../../src/plugin/tables.js'
import { versionKey } from '../../src/plugin/version.js'
import { NOT_DELETED } from '../../src/runtime/records/soft-delete.js'

const SECOND_MS = 1000
const BEGIN_MS = Date.parse('2026-01-01T00:00:00Z')

export interface Seed {
  readonly orgId: string
  readonly userId: string
  readonly rows: number
}

const idOf = (kind: number, n: number): string => `${kind}0000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const at = <T>(values: readonly T[], n: number): T => values[n % values.length] as T
/** In no order that another field has. */
const scattered = (n: number, rows: number): number => (n * 7919) % rows

const common = ({ orgId, userId, rows }: Seed, n: number) => ({
  orgId,
  keywords: [`kw-${n % 1000}`, ...(n % 2 === 0 ? ['service'] : []), ...(n % 20 === 5 ? ['twentieth'] : [])],
  accessModifier: n % 10 === 0 ? 'public' : 'private',
  isActive: n % 50 !== 7,
  ...(n % 10 === 3
    ? { ownerId: null, ownerType: null }
    : { ownerId: n % 100 === 1 ? userId : idOf(7, n % 100), ownerType: 'user' }),
  lifecycle: at(['production', 'production', 'production', 'experimental', 'deprecated'], n),
  criticality: at(['low', 'medium', 'high', 'critical', null], n),
  labels: { tier: n % 2 === 0 ? 'gold' : 'silver', cell: `c${n % 1000}`, ...(n % 20 === 6 ? { ring: 'inner' } : {}) },
  links: [],
  revision: 1,
  createdAtMs: BEGIN_MS + n * SECOND_MS,
  createdBy: userId,
  updatedAtMs: BEGIN_MS + scattered(n, rows) * SECOND_MS,
  updatedBy: userId,
  ...NOT_DELETED,
})

const TEXT = 'builds, tests and releases one service of the shop; owned by the team that is called at night'

export function pipelineOf(seed: Seed, n: number): PipelineRow {
  const projects = Math.ceil(seed.rows / 5)
  const [project, organization] = [`Project ${n % projects}`, `Team ${Math.floor(n / projects)}`]
  const pipelineName = `${at(['deploy', 'release', 'verify', 'nightly'], n)}-${n}`
  const step = (name: string) => ({
    plugin: { name, version: '1.0.0' },
    env: { LEVEL: 'info', REGION: 'eu-central-1' },
  })
  return {
    id: idOf(1, n),
    project,
    organization,
    projectKey: `project_${n % projects}`,
    organizationKey: `team_${Math.floor(n / projects)}`,
    pipelineName,
    nameKey: pipelineName,
    description: `${TEXT} ${n % 2 === 0 ? 'evenly' : 'oddly'}${n % 20 === 9 ? ', sometimes' : ''}${n % 1000 === 1 ? ', seldom' : ''}`,
    defaultKey: n < projects ? `project_${n}` : null,
    templateId: `template-${n % 1000}`,
    templateVersion: 1,
    complianceResult: 'passed',
    complianceCheckedAtMs: BEGIN_MS,
    ...common(seed, n),
    props: {
      project,
      organization,
      synth: {
        source: { type: 'github', options: { repo: `acme/service-${n}`, branch: 'main', token: 'secret:TOKEN' } },
        plugin: { name: n % 2 === 0 ? 'node-build' : 'java-build', version: '1.0.0' },
      },
      stages: [
        { stageName: 'Build', steps: [step('unit-test'), step(`plugin-${n % 1000}`)] },
        { stageName: 'Release', steps: [step('sign'), step('publish')] },
      ],
    },
  }
}

export function pluginOf(seed: Seed, n: number): PluginRow {
  const names = Math.ceil(seed.rows / 4)
  const version = `1.${Math.floor(n / names)}.0`
  return {
    id: idOf(2, n),
    name: `${at(['build', 'scan', 'deploy', 'notify'], n)}-${n % names}`,
    version,
    versionKey: versionKey(version),
    description: `${TEXT} ${n % 2 === 0 ? 'evenly' : 'oddly'}${n % 20 === 9 ? ', sometimes' : ''}${n % 1000 === 1 ? ', seldom' : ''}`,
    category: at(['build', 'test', 'security', 'deploy', 'notify'], n),
    metadata: {},
    pluginType: at(['CodeBuildStep', 'CodeBuildStep', 'ShellStep', 'ManualApprovalStep'], n),
    computeType: at(['SMALL', 'SMALL', 'MEDIUM', 'LARGE'], n),
    timeout: 30,
    failureBehavior: 'fail',
    secrets: [],
    primaryOutputDirectory: 'dist',
    env: { LEVEL: 'info' },
    installCommands: ['npm ci'],
    commands: ['npm run build', 'npm test'],
    buildArgs: {},
    dockerfile: null,
    baseImage: null,
    usesRootUser: false,
    buildType: at(['metadata_only', 'metadata_only', 'build_image', 'prebuilt'], n),
    contract: { requiredMetadata: [], requiredVars: [], metadataTypes: {}, varsTypes: {} },
    smokeTest: null,
    imageRef: null,
    imageDigest: null,
    imageSizeBytes: null,
    builtImage: null,
    attestations: null,
    buildStatus: at(['none', 'none', 'ready', 'queued'], n),
    isDefault: n >= 3 * names,
    isLatest: n >= 3 * names,
    wantsDefault: false,
    archiveKey: null,
    archiveBytes: 0,
    archiveSha256: null,
    ...common(seed, n),
  }
}
