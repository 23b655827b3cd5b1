/**
 * `POST /images/copy`: children first, blobs mounted, the manifest last, so that a manifest never exists without its
 * parts. Idempotent: what already exists is not changed.
 */
import Type from 'typebox'
import { tenantKeyOf } from '../../identity/index.js'
import { insufficient, invalidField, notFound, Refusal } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, type PrepareContext } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { pluginNamesPort } from '../../runtime/records/plugin-names.js'
import { type RegistryClient, registryClient } from '../client.js'
import { pluginsIn, tagOfPlugin } from '../plugin-images.js'
import { readingOf } from '../reading/job.js'
import { orUpstream, REGISTRY_ERRORS } from '../refusal.js'
import { DIGEST, type Named, namedImage } from '../repository.js'
import { requireRegistry } from '../visible.js'
import { copyWhole } from './copy-tree.js'

export const copyImage = command({
  name: 'registry.image.copy',
  summary: 'Copy an image to another repository',
  description:
    'Copies an index with everything that it refers to, and its attestations. The target can be `system/<name>`: then everybody can pull it. Only the server writes the repositories of plugins.',
  http: { method: 'post', path: '/images/copy' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['registry.image.copy'],
  input: {
    body: strictObject({
      source: Type.String({
        maxLength: 400,
        description: '`<repository>:<tag>` or `<repository>@<digest>`',
        examples: ['org-0190f000-0000-7000-8000-000000000000/tools:1.0.0'],
      }),
      target: Type.String({ maxLength: 400, description: '`<repository>:<tag>`', examples: ['system/tools:1.0.0'] }),
      overwrite: Type.Optional(Type.Boolean({ description: 'Moves a tag that belongs to another image' })),
      allowCrossTenant: Type.Optional(Type.Boolean({ description: 'Into the repository of another organization' })),
    }),
  },
  output: strictObject({
    sourceDigest: Type.String(),
    targetDigest: Type.String(),
    mounted: strictObject({ manifests: Type.Integer(), blobs: Type.Integer() }),
    isPromotionToSystem: Type.Boolean(),
  }),
  errors: [
    'VALIDATION_ERROR',
    'NOT_FOUND',
    'CONFLICT',
    'INSUFFICIENT_PERMISSIONS',
    'SERVICE_UNAVAILABLE',
    ...REGISTRY_ERRORS,
  ],
  async prepare(context, { body: { source, target, overwrite, allowCrossTenant } }) {
    requireRegistry(context.runtime)
    const from = namedImage(source, '/body/source')
    const to = namedImage(target, '/body/target')
    await checkMayCopy(context, from, to, allowCrossTenant === true)
    const registry = registryClient(context.runtime)
    return orUpstream(() => copied(registry, from, to, overwrite === true))
  },
  async run(context, { body: { source, target } }, { digest, manifests, blobs, to }) {
    const { runtime, actor } = context
    const isPromotionToSystem = to.repository.name.startsWith('system/')
    const answer = {
      ...{ sourceDigest: digest, targetDigest: digest },
      ...{ mounted: { manifests, blobs }, isPromotionToSystem },
    }
    await context.audit('registry.image.copy', {
      affectedOrgId: to.repository.orgId,
      targetType: 'image',
      targetId: target,
      details: { source, target, digest, isPromotionToSystem },
    })
    context.tx.afterCommit(() =>
      runtime.log?.write('registry.tag.copy', {
        ...{ eventCategory: 'audit', actor: actor.id, source, target, ...answer },
        requestId: context.request.requestId,
      }),
    )
    await context.enqueue(readingOf(to.repository.name, [digest], actor.id))
    return changed(answer)
  },
})

/** @throws Refusal 400, 403, 409 */
async function checkMayCopy(context: PrepareContext, from: Named, to: Named, acrossTenants: boolean): Promise<void> {
  const { runtime, read } = context
  if (DIGEST.test(to.reference)) throw invalidField('/body/target', 'must name a tag: <repository>:<tag>', 'reference')
  const isPromotion = to.repository.name.startsWith('system/')
  // guard: a-copy-stays-in-its-organization
  if (from.repository.orgId !== to.repository.orgId && !isPromotion && !acrossTenants) {
    throw insufficient(
      'permission',
      'the target belongs to another organization than the source: send `allowCrossTenant: true` if this is intended',
    )
  }
  // guard: a-copy-goes-to-an-organization-that-is-there
  if (!isPromotion && (await tenantKeyOf(runtime.store, to.repository.orgId)) === null)
    throw notFound('Organization of the target')
  const names = findPort(runtime, pluginNamesPort)
  const { orgId, pluginName } = to.repository
  const isTaken =
    pluginName !== null && (names === undefined || (await read((db) => names.isTaken(db, orgId, pluginName))))
  // guard: the-server-alone-writes-what-plugins-are-made-of
  if (isTaken || (!isPromotion && to.repository.isShared)) {
    throw new Refusal(
      'CONFLICT',
      `only the server writes ${to.repository.name}, because it belongs to a plugin: choose another name`,
    )
  }
  const versions = await read((db) => pluginsIn(names, db, to.repository))
  // guard: a-public-version-is-not-overwritten-by-a-copy
  if (versions.some((version) => tagOfPlugin(version) === to.reference)) {
    throw new Refusal('CONFLICT', `only the server writes ${to.text}, because it is a public version of a plugin`)
  }
}

interface Copied {
  readonly digest: string
  readonly manifests: number
  readonly blobs: number
  readonly to: Named
}

/** @throws Refusal 404, 409; RegistryFault */
async function copied(registry: RegistryClient, from: Named, to: Named, overwrite: boolean): Promise<Copied> {
  const [source, target] = [from.repository.name, to.repository.name]
  const digest = await registry.resolve(source, from.reference)
  if (digest === null) throw notFound('Source image')
  const there = await registry.resolve(target, to.reference)
  // guard: a-tag-that-is-there-stays
  if (there !== null && there !== digest && !overwrite) {
    throw new Refusal('CONFLICT', `${to.text} exists and is ${there}: send \`overwrite: true\` to move it`, {
      details: { digest: there },
    })
  }
  return { digest, ...(await copyWhole(registry, { source, target }, digest, to.reference)), to }
}
