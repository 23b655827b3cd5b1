/**
 * Everything of an upload that needs no transaction: reading the archive, the verdict, storing the blob. A dry run
 * leaves no entry in the check log, and stores no blob.
 */
import { createReadStream } from 'node:fs'
import { recordDefaults } from '@plumbline/engine'
import { type FieldIssue, invalid, Refusal } from '../../runtime/errors.js'
import { type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import type { UploadedFile } from '../../runtime/operation/upload.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { type Catalog, type CatalogInput, changedCatalog, newCatalog } from '../../runtime/records/catalog.js'
import {
  type ComplianceRequest,
  type ComplianceVerdict,
  type ComplianceViolation,
  requireCompliance,
} from '../../runtime/records/compliance.js'
import type { ArchiveIssue } from '../archive/fault.js'
import { archiveReader } from '../archive/isolated.js'
import { ARCHIVE_LIMITS } from '../archive/limits.js'
import { hasBuilder } from '../build-job/builders.js'
import type { ManifestIssue } from '../manifest/issue.js'
import type { Manifest } from '../manifest/read.js'
import type { PluginRow } from '../tables.js'
import { pluginAttributes } from './attributes.js'
import { checkMayChange, checkPublish } from './rights.js'
import { pluginOfVersion } from './visible.js'
import type { Warning } from './warnings.js'

export interface PreparedUpload {
  readonly manifest: Manifest
  /** The stored version when the verdict was made; null when there was none. */
  readonly replaces: Pick<PluginRow, 'id' | 'revision'> | null
  readonly catalog: Catalog
  readonly accessModifier: string
  readonly archive: Pick<PluginRow, 'archiveKey' | 'archiveSha256' | 'archiveBytes'>
  readonly warnings: readonly Warning[]
  readonly complianceWarnings: readonly ComplianceViolation[]
  readonly deferredRules: NonNullable<ComplianceVerdict['deferredRules']>
}

export interface UploadFields extends CatalogInput {
  readonly accessModifier?: string
  readonly replace: boolean
  readonly isDryRun: boolean
}

export async function prepareUpload(
  context: PrepareContext,
  fields: UploadFields,
  file: UploadedFile,
): Promise<PreparedUpload> {
  const { runtime } = context
  const orgId = tenantId(context)
  // Checked before the archive is read, so that the caller is refused early.
  // guard: who-uploads-what-is-public
  checkPublish(context, fields.accessModifier)
  const manifest = await readUpload(context, file)
  const existing = await context.read((db) => pluginOfVersion(db, orgId, manifest.name, manifest.version))
  const accessModifier = fields.accessModifier ?? existing?.accessModifier ?? recordDefaults.plugin.accessModifier
  const { accessModifier: _modifier, replace, isDryRun, ...sent } = fields
  if (existing !== null) {
    // guard: an-upload-changes-a-plugin-as-a-change-does
    await checkMayChange(context, existing, accessModifier)
    // guard: a-public-version-stays-as-it-is
    if (existing.accessModifier === 'public' && !replace) {
      throw new Refusal(
        'CONFLICT',
        `${manifest.name} ${manifest.version} is public and cannot change: upload a new version, or send \`?replace=true\``,
        { details: { pluginId: existing.id } },
      )
    }
  }
  const catalog = existing === null ? await newCatalog(context, sent) : await changedCatalog(context, existing, sent)
  const warnings = await builderWarnings(context, manifest)
  await checkRoom(context, existing, file.bytes)
  const question = uploadQuestion(manifest, catalog, accessModifier, existing)
  // guard: a-dry-run-of-an-upload-is-checked-without-a-trace
  const verdict = await requireCompliance(context, { ...question, isDryRun })
  if (runtime.blobs === undefined) throw new Refusal('SERVICE_UNAVAILABLE', 'archives cannot be stored here')
  const archiveKey = `${orgId}/plugins/${runtime.ids.next()}`
  // guard: a-dry-run-stores-no-archive
  if (!isDryRun) await runtime.blobs.put(archiveKey, createReadStream(file.path), file.bytes)
  return {
    manifest,
    replaces: existing === null ? null : { id: existing.id, revision: existing.revision },
    catalog,
    accessModifier,
    archive: { archiveKey, archiveBytes: file.bytes, archiveSha256: file.sha256 },
    warnings,
    complianceWarnings: verdict.warnings,
    deferredRules: verdict.deferredRules ?? [],
  }
}

/** The request to the rules for the plugin as this upload would store it. */
export const uploadQuestion = (
  manifest: Manifest,
  catalog: Catalog,
  accessModifier: string,
  existing: PluginRow | null,
): ComplianceRequest => ({
  target: 'plugin',
  action: 'upload',
  attributes: pluginAttributes({
    ...(existing === null ? {} : { id: existing.id }),
    ...manifest,
    ...catalog,
    accessModifier,
    isDefault: existing?.isDefault ?? recordDefaults.plugin.isDefault,
    isActive: manifest.buildType === 'metadata_only',
  }),
  entityId: existing?.id ?? null,
  entityName: manifest.name,
})

export async function checkRoom(context: PrepareContext, existing: PluginRow | null, bytes: number): Promise<void> {
  const capacity = capacityOf(context.runtime)
  const orgId = tenantId(context)
  const moreBytes = bytes - (existing?.archiveBytes ?? 0)
  await context.read(async (db) => {
    const takesPlace = existing === null || existing.buildStatus === 'failed'
    if (takesPlace) await capacity.checkHeadroom(db, orgId, 'plugins', 1)
    if (moreBytes > 0) await capacity.checkHeadroom(db, orgId, 'storageBytes', moreBytes)
  })
}

/** @throws Refusal 503 when building images is switched off. While no builder runs, jobs wait for one. */
async function builderWarnings(context: PrepareContext, { buildType }: Manifest): Promise<Warning[]> {
  if (buildType === 'metadata_only') return []
  if (context.runtime.settings.PLUGIN_BUILDER === 'none') {
    throw new Refusal(
      'BUILDER_UNAVAILABLE',
      'this server builds no images (PLUGIN_BUILDER=none): only `metadata_only` works',
    )
  }
  if (await context.read((db) => hasBuilder(db, context.nowMs))) return []
  return [{ code: 'BUILDER_ABSENT', message: 'no builder asked for work recently: the image is built when one does' }]
}

async function readUpload(context: PrepareContext, file: UploadedFile): Promise<Manifest> {
  const { settings } = context.runtime
  const extractedBytesMax = settings.PLUGIN_MAX_EXTRACT_BYTES ?? settings.PLUGIN_MAX_UPLOAD_MB * 4 * 1024 ** 2
  const inspection = await archiveReader().inspect(
    file.path,
    { ...ARCHIVE_LIMITS, extractedBytesMax },
    tenantId(context),
  )
  if (inspection.kind === 'archive') throw archiveRefusal(inspection.issues, extractedBytesMax)
  if (inspection.kind === 'manifest') throw manifestRefusal(inspection.issues)
  return inspection.manifest
}

function archiveRefusal(issues: readonly ArchiveIssue[], bytesMax: number): Refusal {
  const [first] = issues
  if (first?.code === 'too_large') return new Refusal('PAYLOAD_TOO_LARGE', first.message, { details: { bytesMax } })
  return invalid(issues.map(({ code, message }) => ({ path: '/body/plugin', message, code: `archive_${code}` })))
}

/**
 * A single template issue has its own code, and several have a common one. Together with other issues they are listed
 * like those.
 */
function manifestRefusal(issues: readonly ManifestIssue[]): Refusal {
  const shown = issues.map(({ file, line, column, pointer, message, code }): FieldIssue & Record<string, unknown> => ({
    path: `/body/plugin/${file}${pointer}`,
    message: line === null ? message : `line ${line}, column ${column}: ${message}`,
    code,
    file,
    ...(line === null ? {} : { line, column }),
  }))
  const [first] = issues
  if (first === undefined || !issues.every(({ code }) => code.startsWith('TEMPLATE_'))) return invalid(shown)
  const code = issues.length === 1 ? (first.code as TemplateCode) : 'TEMPLATE_VALIDATION_FAILED'
  return new Refusal(code, `${first.file}: ${shown[0]?.message}`, { details: { issues: shown } })
}

type TemplateCode = Extract<Refusal['code'], `TEMPLATE_${string}`>
