/**
 * A generated plugin: the fields of its specification and its Dockerfile in one object. It becomes the same archive
 * that a person would upload, and the same code reads it.
 */
import { recordDefaults } from '@plumbline/engine'
import { and, asc, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import type { FieldIssue } from '../../runtime/errors.js'
import { Refusal } from '../../runtime/errors.js'
import { type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import { problems, strictObject } from '../../runtime/operation/schema.js'
import { changedCatalog, newCatalog } from '../../runtime/records/catalog.js'
import { askCompliance, type ComplianceVerdict } from '../../runtime/records/compliance.js'
import { isLive } from '../../runtime/records/soft-delete.js'
import { isVisible } from '../../runtime/records/visible.js'
import type { Db, TenantKey } from '../../runtime/store/db.js'
import { type TextFile, writeZip } from '../archive/write.js'
import type { Archive, ArchiveEntry } from '../archive-content.js'
import { ManifestFault } from '../manifest/issue.js'
import { type Manifest, readManifest } from '../manifest/read.js'
import {
  BuildArgs,
  COMPUTE_TYPES,
  Commands,
  Description,
  Env,
  Keywords,
  OutputDirectory,
  oneOf,
  PluginName,
  PluginVersion,
  Secrets,
} from '../manifest/schema.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { checkRoom, uploadQuestion } from './prepare-upload.js'
import { pluginOfVersion } from './visible.js'

export const GeneratedPlugin = strictObject({
  name: PluginName,
  version: PluginVersion,
  commands: Type.Array(Type.String({ minLength: 1, maxLength: 65_536 }), { minItems: 1, maxItems: 500 }),
  dockerfile: Type.String({ minLength: 1, maxLength: 65_536, description: 'The text of the Dockerfile' }),
  installCommands: Type.Optional(Commands),
  description: Type.Optional(Description),
  pluginType: Type.Optional(oneOf(['CodeBuildStep', 'ShellStep'])),
  computeType: Type.Optional(oneOf(COMPUTE_TYPES)),
  keywords: Type.Optional(Keywords),
  primaryOutputDirectory: Type.Optional(OutputDirectory),
  env: Type.Optional(Env),
  buildArgs: Type.Optional(BuildArgs),
  secrets: Type.Optional(Secrets),
})
export type GeneratedPlugin = Static<typeof GeneratedPlugin>

const SPEC = 'plugin-spec.yaml'
const DOCKERFILE = 'Dockerfile'

/** The files of its archive. JSON is valid YAML in which no text can be read as another type. */
export function filesOf({ dockerfile, ...spec }: GeneratedPlugin): readonly TextFile[] {
  return [
    { name: SPEC, text: `${JSON.stringify(spec, null, 2)}\n` },
    { name: 'config.yaml', text: 'buildType: build_image\n' },
    { name: DOCKERFILE, text: dockerfile },
  ]
}

/** The files in the form of a read archive, without making a zip file. */
function archiveOf(files: readonly TextFile[]): Archive {
  const entries: ArchiveEntry[] = files.map(({ name, text }) => {
    const bytes = Buffer.byteLength(text)
    const stored = { packedBytes: bytes, bytes, crc32: 0, isDeflated: false, dataAt: 0 }
    return { name, isFolder: false, isExecutable: false, ...stored }
  })
  const textOf = ({ name }: ArchiveEntry) => files.find((file) => file.name === name)?.text ?? ''
  return {
    entries,
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    find: (path) => entries.find(({ name }) => name === path) ?? null,
    text: async (entry) => textOf(entry),
    async *pieces(entry) {
      yield Buffer.from(textOf(entry))
    },
  }
}

type Verdict = Pick<ComplianceVerdict, 'passed' | 'blocked' | 'violations' | 'warnings' | 'deferredRules'>

/** The result that an upload would have. Nothing is stored. */
export interface PluginReport {
  readonly issues: readonly FieldIssue[]
  /** Null while there are issues. */
  readonly compliance: Verdict | null
  readonly action: 'create' | 'update' | null
  /** Whether a place for the plugin and the bytes of its archive are left. Null while there are issues. */
  readonly quota: { readonly available: boolean; readonly message: string | null } | null
}

const refusedFor = (issues: readonly FieldIssue[]): PluginReport => ({
  issues,
  compliance: null,
  action: null,
  quota: null,
})

/** @throws Refusal 503 when the rules cannot be evaluated. */
export async function reportOnGenerated(context: PrepareContext, plugin: GeneratedPlugin): Promise<PluginReport> {
  const shape = problems(GeneratedPlugin, plugin, '')
  if (shape.length > 0) return refusedFor(shape)
  const read = await manifestOf(plugin)
  if ('issues' in read) return refusedFor(read.issues)
  const { manifest } = read
  const orgId = tenantId(context)
  const existing = await context.read((db) => pluginOfVersion(db, orgId, manifest.name, manifest.version))
  const catalog = existing === null ? await newCatalog(context, {}) : await changedCatalog(context, existing, {})
  const question = uploadQuestion(
    manifest,
    catalog,
    existing?.accessModifier ?? recordDefaults.plugin.accessModifier,
    existing,
  )
  return {
    issues: [],
    compliance: await askCompliance(context, { ...question, isDryRun: true }),
    action: existing === null ? 'create' : 'update',
    quota: await roomFor(context, existing, writeZip(filesOf(plugin)).length),
  }
}

async function manifestOf(
  plugin: GeneratedPlugin,
): Promise<{ readonly manifest: Manifest } | { readonly issues: readonly FieldIssue[] }> {
  try {
    return { manifest: await readManifest(archiveOf(filesOf(plugin))) }
  } catch (error) {
    if (!(error instanceof ManifestFault)) throw error
    const at = (file: string, pointer: string) => (file === DOCKERFILE ? `/dockerfile${pointer}` : pointer)
    return {
      issues: error.issues.map(({ file, pointer, message, code }) => ({ path: at(file, pointer), message, code })),
    }
  }
}

async function roomFor(
  context: PrepareContext,
  existing: PluginRow | null,
  bytes: number,
): Promise<{ available: boolean; message: string | null }> {
  try {
    // guard: a-draft-of-a-plugin-counts-its-bytes
    await checkRoom(context, existing, bytes)
    return { available: true, message: null }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'QUOTA_EXCEEDED') return { available: false, message: error.message }
    throw error
  }
}

/** The names of the active plugins that an organization can see, sorted. */
export async function visiblePluginNames(db: Db, key: TenantKey, atMost: number): Promise<string[]> {
  const { plugins } = pluginTables(db)
  // guard: the-names-of-plugins-that-are-seen
  const rows = await db
    .selectDistinct({ name: plugins.name })
    .from(plugins)
    .where(and(isLive(plugins), eq(plugins.isActive, true), isVisible(key, plugins)))
    .orderBy(asc(plugins.name))
    .limit(atMost)
  return rows.map(({ name }) => name)
}
