/**
 * `POST /plugins`: the archive is read in a separate process, checked against the tenant's rules, stored, and recorded
 * in one transaction with the job that builds its image. Source: spec platform 10.2.
 */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { DryRun } from '../../runtime/operation/dry-run.js'
import { fromHeader, upload } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { CATALOG_FORM_INPUT } from '../../runtime/records/catalog.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import type { Tx } from '../../runtime/store/db.js'
import { enqueueBuild } from '../build-job/enqueue.js'
import { imageLeft, publicCopiesOf } from '../build-job/image-messages.js'
import { lockPlugins } from '../build-job/lock-plugins.js'
import { BUILD_TYPES, oneOf } from '../manifest/schema.js'
import type { PluginRow } from '../tables.js'
import { versionKey } from '../version.js'
import { type PreparedUpload, prepareUpload } from './prepare-upload.js'
import { insertPlugin, isHighestRelease, savePlugin } from './save.js'
import { ACCESS_MODIFIERS } from './view.js'
import { pluginOfVersion } from './visible.js'
import { ComplianceWarnings, DeferredRules, Warnings } from './warnings.js'

const MiB = 1024 ** 2

export const UploadAnswer = strictObject({
  pluginId: Uuid,
  pluginName: Type.String(),
  version: Type.String(),
  buildType: oneOf<string>(BUILD_TYPES),
  created: Type.Boolean({ description: 'False for a new upload of an existing version' }),
  requestId: Type.Optional(Type.String()),
  jobId: Type.Optional(Uuid),
  warnings: Warnings,
  complianceWarnings: ComplianceWarnings,
  deferredRules: Type.Optional(DeferredRules),
})

export const UPLOAD_ERRORS = [
  'VALIDATION_ERROR',
  'TEMPLATE_PARSE_ERROR',
  'TEMPLATE_UNKNOWN_PATH',
  'TEMPLATE_SECRETS_RESERVED',
  'TEMPLATE_TYPE_MISMATCH',
  'TEMPLATE_CONTRACT_VIOLATION',
  'TEMPLATE_SIZE_EXCEEDED',
  'TEMPLATE_VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'INSUFFICIENT_PERMISSIONS',
  'CONFLICT',
  'QUOTA_EXCEEDED',
  'COMPLIANCE_VIOLATION',
  'COMPLIANCE_SERVICE_UNAVAILABLE',
  'BUILDER_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
  'UPSTREAM_ERROR',
] as const

export const uploadPlugin = upload({
  name: 'plugin.plugin.upload',
  summary: 'Upload a plugin',
  description:
    'A zip archive with `plugin-spec.yaml` at its root. Sent as multipart/form-data: the file part `plugin`, and text fields, of which `labels` and `links` are JSON. ' +
    'The server authenticates and authorizes the caller before it reads the file. Every problem of the specification is reported with its line.',
  http: { method: 'post', path: '/plugins', status: 201 },
  access: permission('plugins:write'),
  tenant: fromHeader,
  acrossOrganizations: 'places are those of the account',
  rateLimit: 'plugin-upload',
  idempotent: true,
  audit: ['plugin.upload', 'plugin.build.cancel'],
  upload: {
    part: 'plugin',
    bytesMax: 512 * MiB,
    bytesMaxOf: ({ PLUGIN_MAX_UPLOAD_MB }) => PLUGIN_MAX_UPLOAD_MB * MiB,
    arrivesMs: 300_000,
    arrivesMsOf: ({ PLUGIN_UPLOAD_TIMEOUT_SECONDS }) => PLUGIN_UPLOAD_TIMEOUT_SECONDS * 1000,
    contentTypes: ['application/zip', 'application/x-zip-compressed', 'application/octet-stream'],
  },
  input: {
    query: Type.Object({
      replace: Type.Optional(
        Type.Boolean({
          description: 'Replaces a public version, which is otherwise not changed; needs `plugins:publish`',
        }),
      ),
      ...DryRun.properties,
    }),
    body: strictObject({
      accessModifier: Type.Optional(oneOf(ACCESS_MODIFIERS)),
      setDefault: Type.Optional(Type.Boolean({ description: 'Makes this version the default' })),
      ...CATALOG_FORM_INPUT,
    }),
  },
  output: UploadAnswer,
  errors: UPLOAD_ERRORS,
  prepare: (context, { query, body }, file) =>
    prepareUpload(context, { ...body, replace: query.replace === true, isDryRun: query.dryRun === true }, file),
  run: (context, { body }, prepared) => commitUpload(context, prepared, body.setDefault === true),
})

/** Writes a prepared upload: its row, its job, its audit event. */
export async function commitUpload(
  context: WriteContext<'plugin.upload' | 'plugin.build.cancel'>,
  prepared: PreparedUpload,
  wantsDefault: boolean,
) {
  const { tx, runtime } = context
  const orgId = tenantId(context)
  const { manifest, replaces } = prepared
  // guard: uploads-of-one-name-take-turns
  await lockPlugins(tx, orgId, replaces === null ? [] : [replaces.id], manifest.name)
  const existing = await pluginOfVersion(tx, orgId, manifest.name, manifest.version)
  // guard: what-was-judged-is-what-is-uploaded
  if (existing?.id !== replaces?.id || existing?.revision !== replaces?.revision) {
    throw new Refusal(
      'CONFLICT',
      `${manifest.name} ${manifest.version} changed while this upload was checked: upload it again`,
    )
  }
  await takePlaces(context, prepared, existing)
  const row = rowOf(context, prepared, existing, wantsDefault)
  const saved: PluginRow = { ...row, isDefault: row.isDefault || (row.isActive && (await takesDefault(tx, row))) }
  if (existing === null) await insertPlugin(tx, saved)
  else await replace(context, existing, saved)
  const jobId = manifest.buildType === 'metadata_only' ? null : await enqueueBuild(context, saved)
  await context.audit('plugin.upload', {
    targetType: 'plugin',
    targetId: saved.id,
    details: { id: saved.id, name: saved.name },
  })
  const eventType = existing === null ? 'created' : 'updated'
  await announceEntity(context, orgId, { target: 'plugin', entityId: saved.id, eventType })
  const answer = {
    pluginId: saved.id,
    pluginName: saved.name,
    version: saved.version,
    buildType: saved.buildType,
    created: existing === null,
    warnings: [...prepared.warnings],
    complianceWarnings: [...prepared.complianceWarnings],
    ...(prepared.deferredRules.length === 0 ? {} : { deferredRules: [...prepared.deferredRules] }),
  }
  if (jobId === null) return changed(answer, { status: existing === null ? 201 : 200 })
  return changed(
    { ...answer, requestId: context.request.requestId, jobId },
    { status: 202, headers: { Location: `${runtime.settings.BASE_PATH}/plugins/builds/${jobId}` } },
  )
}

/** The row forgets the image of before, so that what keeps the registry in line is told of it here. */
async function replace(context: WriteContext, existing: PluginRow, saved: PluginRow): Promise<void> {
  await savePlugin(context.tx, saved)
  const left = imageLeft(existing, context.nowMs)
  if (left === null) return
  await context.enqueue(left)
  await context.enqueue(publicCopiesOf(existing))
}

const takesDefault = async (tx: Tx, row: PluginRow): Promise<boolean> => row.wantsDefault || isHighestRelease(tx, row)

/** Counts a new version, and one whose build failed, towards the capacity, and the bytes by which its archive is larger than before. */
async function takePlaces(context: WriteContext, prepared: PreparedUpload, existing: PluginRow | null): Promise<void> {
  const orgId = tenantId(context)
  const capacity = capacityOf(context.runtime)
  // guard: a-plugin-takes-a-place
  if (existing === null || existing.buildStatus === 'failed') await capacity.take(context.tx, orgId, 'plugins', 1)
  const moreBytes = prepared.archive.archiveBytes - (existing?.archiveBytes ?? 0)
  // guard: an-archive-takes-its-bytes
  if (moreBytes > 0) await capacity.take(context.tx, orgId, 'storageBytes', moreBytes)
}

/**
 * The row after this upload. A new upload of an existing version keeps its id, its owner and the properties that were
 * set apart from the archive.
 */
function rowOf(
  { runtime, nowMs, actor, authority }: WriteContext,
  { manifest, archive, catalog, accessModifier }: PreparedUpload,
  existing: PluginRow | null,
  wantsDefault: boolean,
): PluginRow {
  const needsBuild = manifest.buildType !== 'metadata_only'
  return {
    id: existing?.id ?? runtime.ids.next(),
    orgId: authority.org?.id ?? '',
    ...manifest,
    versionKey: versionKey(manifest.version),
    ...catalog,
    ...archive,
    ...NOT_DELETED,
    imageRef: null,
    imageDigest: null,
    imageSizeBytes: null,
    builtImage: null,
    attestations: null,
    buildStatus: needsBuild ? 'queued' : 'none',
    accessModifier,
    isDefault: existing?.isDefault ?? false,
    isLatest: existing?.isLatest ?? false,
    isActive: !needsBuild,
    wantsDefault,
    revision: (existing?.revision ?? 0) + 1,
    createdAtMs: existing?.createdAtMs ?? nowMs,
    createdBy: existing?.createdBy ?? actor.id,
    updatedAtMs: nowMs,
    updatedBy: actor.id,
  }
}
