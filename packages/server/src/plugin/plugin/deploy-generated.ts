/**
 * `POST /plugins/deploy-generated`: builds the archive that a person would upload, and runs the whole upload: its
 * checks, its rules, its quotas, its job. Source: spec platform 16.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { writeZip } from '../archive/write.js'
import { oneOf } from '../manifest/schema.js'
import { filesOf, GeneratedPlugin } from './generated.js'
import { type PreparedUpload, prepareUpload } from './prepare-upload.js'
import { commitUpload, UPLOAD_ERRORS, UploadAnswer } from './upload.js'
import { ACCESS_MODIFIERS } from './view.js'
import { pluginOfVersion } from './visible.js'

export const deployGeneratedPlugin = command({
  name: 'plugin.plugin.deploy-generated',
  summary: 'Upload a generated plugin, and build it',
  description:
    'Makes an archive of the fields and passes it through `POST /plugins`: the same checks, rules, quotas and build queue. A version that is there is refused unless `replace=true`.',
  http: { method: 'post', path: '/plugins/deploy-generated', status: 202 },
  access: withFeature('ai_generation', permission('plugins:write')),
  tenant: fromHeader,
  acrossOrganizations: 'places are those of the account',
  rateLimit: 'plugin-upload',
  idempotent: true,
  audit: ['plugin.upload', 'plugin.build.cancel'],
  input: {
    query: Type.Object({
      replace: Type.Optional(Type.Boolean({ description: 'Replaces a version that is there' })),
    }),
    body: strictObject({
      ...GeneratedPlugin.properties,
      accessModifier: Type.Optional(oneOf(ACCESS_MODIFIERS)),
    }),
  },
  output: UploadAnswer,
  errors: [...UPLOAD_ERRORS, 'DUPLICATE_ENTRY'],
  prepare: (context, { query, body }) => prepareGenerated(context, body, query.replace === true),
  run: (context, _, prepared) => commitUpload(context, prepared, false),
})

type Body = GeneratedPlugin & { readonly accessModifier?: string }

async function prepareGenerated(
  context: PrepareContext,
  { accessModifier, ...plugin }: Body,
  replace: boolean,
): Promise<PreparedUpload> {
  const { name, version } = plugin
  const there = await context.read((db) => pluginOfVersion(db, tenantId(context), name, version))
  // guard: a-generated-version-replaces-none
  if (there !== null && !replace) {
    throw new Refusal(
      'DUPLICATE_ENTRY',
      `${name} ${version} is there: choose another version, or send \`?replace=true\``,
      { details: { field: 'version', pluginId: there.id } },
    )
  }
  const zip = writeZip(filesOf(plugin))
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-generated-'))
  try {
    const path = join(folder, 'plugin.zip')
    await writeFile(path, zip, { mode: 0o600 })
    const sha256 = createHash('sha256').update(zip).digest('hex')
    const file = { name: `${name}.zip`, contentType: 'application/zip', bytes: zip.length, sha256, path }
    const fields = { replace, isDryRun: false, ...(accessModifier === undefined ? {} : { accessModifier }) }
    return await prepareUpload(context, fields, file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
