/**
 * Reads the specification of a plugin from its archive: `plugin-spec.yaml`, `config.yaml` and the Dockerfile. Every
 * issue has its file, line and column. Source: spec platform 10.2.
 */
import { recordDefaults } from '@plumbline/engine'
import type { TSchema } from 'typebox'
import { nulIssues } from '../../runtime/http/nul.js'
import { problems } from '../../runtime/operation/schema.js'
import type { Archive, ArchiveEntry } from '../archive-content.js'
import { dockerfileFacts } from '../dockerfile/facts.js'
import { ImageFault, readImage } from '../image/image.js'
import { ManifestFault, type ManifestIssue } from './issue.js'
import { type BuildType, ConfigFile, type Contract, type SecretDeclaration, SpecFile } from './schema.js'
import { readSource, type Source } from './source.js'
import { tokenIssues } from './tokens.js'

/** What an archive declares, with defaults filled in. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string | null
  readonly keywords: readonly string[]
  readonly category: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly pluginType: NonNullable<SpecFile['pluginType']>
  readonly computeType: NonNullable<SpecFile['computeType']>
  readonly timeout: number | null
  readonly failureBehavior: NonNullable<SpecFile['failureBehavior']>
  readonly secrets: readonly SecretDeclaration[]
  readonly primaryOutputDirectory: string | null
  readonly env: Readonly<Record<string, string>>
  readonly buildArgs: Readonly<Record<string, string>>
  readonly installCommands: readonly string[]
  readonly commands: readonly string[]
  readonly buildType: BuildType
  readonly contract: Contract
  readonly smokeTest: string | null
  /** The text of the Dockerfile; null when there is none. */
  readonly dockerfile: string | null
  readonly baseImage: string | null
  /** Null when it is not known how the image was made. */
  readonly usesRootUser: boolean | null
}

const SPEC_FILES = ['plugin-spec.yaml', 'plugin-spec.yml']
const CONFIG_FILES = ['config.yaml', 'config.yml']
export const IMAGE_FILE = 'image.tar'
const METADATA_BYTES_MAX = 65_536
const DEFAULTS = recordDefaults.plugin

/** @throws ManifestFault, ArchiveFault */
export async function readManifest(archive: Archive): Promise<Manifest> {
  const config = await readConfig(archive)
  const specFile = findSpec(archive, config)
  const source = readSource(specFile.name, await archive.text(specFile))
  const issues = checkFile(source, SpecFile)
  const spec = withoutNulls(source.value) as SpecFile
  if (issues.length > 0) throw new ManifestFault(issues)
  const buildType = buildTypeOf(spec, config.value, config.source, issues)
  issues.push(...furtherIssues(spec, source))
  const contract = contractOf(spec)
  issues.push(...templateIssues(spec, contract, source))
  const docker = await readDockerfile(archive, spec, source, config, buildType, issues)
  const image = buildType === 'prebuilt' ? await readPrebuilt(archive, issues) : null
  if (issues.length > 0) throw new ManifestFault(issues)
  return {
    name: spec.name,
    version: spec.version,
    description: spec.description ?? null,
    keywords: spec.keywords ?? DEFAULTS.keywords,
    category: spec.category ?? DEFAULTS.category,
    metadata: spec.metadata ?? DEFAULTS.metadata,
    pluginType: spec.pluginType ?? DEFAULTS.pluginType,
    computeType: spec.computeType ?? DEFAULTS.computeType,
    timeout: spec.timeout ?? null,
    failureBehavior: spec.failureBehavior ?? DEFAULTS.failureBehavior,
    secrets: (spec.secrets ?? DEFAULTS.secrets).map((secret) => ({ ...secret, required: secret.required ?? true })),
    primaryOutputDirectory: spec.primaryOutputDirectory ?? null,
    env: spec.env ?? DEFAULTS.env,
    buildArgs: spec.buildArgs ?? DEFAULTS.buildArgs,
    installCommands: spec.installCommands ?? DEFAULTS.installCommands,
    commands: spec.commands ?? DEFAULTS.commands,
    buildType,
    contract,
    smokeTest: spec.smokeTest ?? null,
    ...docker,
    ...image,
  }
}

interface Config {
  readonly value: ConfigFile
  readonly source: Source | null
}

async function readConfig(archive: Archive): Promise<Config> {
  const entry = onlyOne(archive, CONFIG_FILES)
  if (entry === null) return { value: {}, source: null }
  const source = readSource(entry.name, await archive.text(entry))
  const issues = checkFile(source, ConfigFile)
  if (issues.length > 0) throw new ManifestFault(issues)
  return { value: withoutNulls(source.value) as ConfigFile, source }
}

function findSpec(archive: Archive, { value, source }: Config): ArchiveEntry {
  if (value.pluginSpec !== undefined) {
    const named = archive.find(value.pluginSpec.replace(/^\.\//, ''))
    if (named !== null) return named
    const issue = source?.issue('/pluginSpec', 'names a file that is not in the archive', 'missing_file')
    throw new ManifestFault(issue === undefined ? [] : [issue])
  }
  const found = onlyOne(archive, SPEC_FILES)
  if (found !== null) return found
  throw new ManifestFault([rootIssue(archive, 'plugin-spec.yaml', 'the specification of a plugin is there')])
}

function onlyOne(archive: Archive, names: readonly string[]): ArchiveEntry | null {
  const found = names.flatMap((name) => archive.find(name) ?? [])
  if (found.length > 1) {
    throw new ManifestFault([
      fileIssue(names[1] ?? '', `exists in addition to ${names[0]}: keep one of them`, 'duplicate_file'),
    ])
  }
  return found[0] ?? null
}

const fileIssue = (file: string, message: string, code: string): ManifestIssue => ({
  file,
  line: null,
  column: null,
  pointer: '',
  message,
  code,
})

/** The issue of a file that is missing at the root. Often the archive contains the folder instead of its contents. */
function rootIssue(archive: Archive, file: string, why: string): ManifestIssue {
  const elsewhere = archive.entries.find(({ name }) => name.endsWith(`/${file}`))
  const hint =
    elsewhere === undefined
      ? ''
      : `; it is in the folder ${elsewhere.name.slice(0, -file.length - 1)}: pack the contents of the folder, not the folder`
  return fileIssue(file, `is not at the root of the archive: ${why}${hint}`, 'missing_file')
}

function checkFile(source: Source, schema: TSchema): ManifestIssue[] {
  const value = withoutNulls(source.value)
  // guard: no-nul-in-a-specification
  const issues = [...problems(schema, value, ''), ...nulIssues(value, '')]
  return issues.map(({ path, message, code }) => source.issue(path, message, code))
}

/** A key without a value, such as `env:`, counts as absent. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
}

function buildTypeOf(spec: SpecFile, config: ConfigFile, source: Source | null, issues: ManifestIssue[]): BuildType {
  const isApproval = spec.pluginType === 'ManualApprovalStep'
  const said = config.buildType
  if (isApproval && said !== undefined && said !== 'metadata_only') {
    const issue = source?.issue('/buildType', 'a ManualApprovalStep has no image: `metadata_only`', 'build_type')
    if (issue !== undefined) issues.push(issue)
  }
  return said ?? (isApproval ? 'metadata_only' : 'build_image')
}

function furtherIssues(spec: SpecFile, source: Source): ManifestIssue[] {
  const issues: ManifestIssue[] = []
  // An empty list means that each pipeline provides the commands of the plugin.
  if (spec.pluginType !== 'ManualApprovalStep' && spec.commands === undefined) {
    issues.push(source.issue('/commands', 'is required', 'required'))
  }
  const secrets = (spec.secrets ?? []).map(({ name }) => name)
  secrets.forEach((name, index) => {
    if (secrets.indexOf(name) < index) {
      issues.push(source.issue(`/secrets/${index}/name`, `declares ${name} a second time`, 'duplicate'))
    }
    if (Object.hasOwn(spec.env ?? {}, name)) {
      issues.push(source.issue(`/env/${name}`, 'is a secret too: a variable can have only one source', 'duplicate'))
    }
  })
  if (Buffer.byteLength(JSON.stringify(spec.metadata ?? {})) > METADATA_BYTES_MAX) {
    issues.push(source.issue('/metadata', `has more than ${METADATA_BYTES_MAX} bytes`, 'maxLength'))
  }
  return issues
}

const contractOf = (spec: SpecFile): Contract => ({
  requiredMetadata: spec.requiredMetadata ?? [...DEFAULTS.requiredMetadata],
  requiredVars: spec.requiredVars ?? [...DEFAULTS.requiredVars],
  metadataTypes: spec.metadataTypes ?? {},
  varsTypes: spec.varsTypes ?? {},
})

/** Issues with template tokens in everything that a build runs or receives. */
function templateIssues(spec: SpecFile, contract: Contract, source: Source): ManifestIssue[] {
  const texts: [pointer: string, text: string][] = [
    ...(spec.commands ?? []).map((text, index): [string, string] => [`/commands/${index}`, text]),
    ...(spec.installCommands ?? []).map((text, index): [string, string] => [`/installCommands/${index}`, text]),
    ...Object.entries(spec.env ?? {}).map(([name, text]): [string, string] => [`/env/${name}`, text]),
    ...Object.entries(spec.buildArgs ?? {}).map(([name, text]): [string, string] => [`/buildArgs/${name}`, text]),
    ...(spec.smokeTest === undefined ? [] : [['/smokeTest', spec.smokeTest] as [string, string]]),
  ]
  return texts.flatMap(([pointer, text]) =>
    tokenIssues(text, contract).map(({ code, message }) => source.issue(pointer, message, code)),
  )
}

/** Reads the facts of a prebuilt image. */
async function readPrebuilt(
  archive: Archive,
  issues: ManifestIssue[],
): Promise<Pick<Manifest, 'baseImage' | 'usesRootUser'> | null> {
  const entry = archive.find(IMAGE_FILE)
  if (entry === null) {
    issues.push(rootIssue(archive, IMAGE_FILE, 'a prebuilt plugin contains its image'))
    return null
  }
  try {
    const { baseImage, usesRootUser } = await readImage(archive.pieces(entry))
    return { baseImage, usesRootUser }
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error
    // guard: a-prebuilt-image-is-looked-at
    issues.push(fileIssue(IMAGE_FILE, error.message, 'image'))
    return null
  }
}

async function readDockerfile(
  archive: Archive,
  spec: SpecFile,
  source: Source,
  config: Config,
  buildType: BuildType,
  issues: ManifestIssue[],
): Promise<Pick<Manifest, 'dockerfile' | 'baseImage' | 'usesRootUser'>> {
  const none = { dockerfile: null, baseImage: null, usesRootUser: buildType === 'metadata_only' ? false : null }
  const [path, place] =
    config.value.dockerfile !== undefined ? [config.value.dockerfile, config.source] : [spec.dockerfile, source]
  if (buildType !== 'build_image') {
    if (path !== undefined && place !== null) {
      issues.push(place.issue('/dockerfile', `has no meaning for ${buildType}`, 'build_type'))
    }
    return none
  }
  const entry = archive.find((path ?? 'Dockerfile').replace(/^\.\//, ''))
  if (entry === null) {
    issues.push(
      path === undefined || place === null
        ? rootIssue(archive, 'Dockerfile', 'the image is built from it')
        : place.issue('/dockerfile', 'names a file that is not in the archive', 'missing_file'),
    )
    return none
  }
  const dockerfile = await archive.text(entry)
  // guard: no-nul-in-a-dockerfile
  if (dockerfile.includes('\0')) {
    issues.push(fileIssue(entry.name, 'contains a NUL character: save it as text in UTF-8', 'nul'))
  }
  const { baseImage, usesRootUser, problem } = dockerfileFacts(dockerfile, spec.buildArgs)
  if (problem !== null) issues.push(fileIssue(entry.name, problem, 'dockerfile'))
  return { dockerfile, baseImage, usesRootUser }
}
