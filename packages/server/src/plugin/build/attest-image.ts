/**
 * Publishes the attestations of an image in the registry, in the form for registries without referrers: an index under
 * the tag `sha256-<hex>` of the image (OCI distribution specification 1.1, referrers tag schema). Idempotent.
 */
import Type from 'typebox'
import { attestationTag, digestOf, type RegistryClient, readingOf, registryClient } from '../../registry/index.js'
import { defineJob } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { keptDocument } from '../attestation/keep.js'
import { publicCopiesOf } from '../build-job/image-messages.js'
import { repositoryOf } from '../build-job/staging.js'
import type { Attestations } from '../image/attestations.js'
import { ATTEST_JOB } from './plan.js'
import { livePlugin } from './plugin-state.js'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const INDEX = 'application/vnd.oci.image.index.v1+json'
const EMPTY = { mediaType: 'application/vnd.oci.empty.v1+json', bytes: Buffer.from('{}') }
const KINDS: Readonly<Record<keyof Attestations, { readonly artifactType: string; readonly mediaType: string }>> = {
  provenance: { artifactType: 'application/vnd.in-toto+json', mediaType: 'application/vnd.dsse.envelope.v1+json' },
  sbom: { artifactType: 'application/vnd.cyclonedx+json', mediaType: 'application/vnd.cyclonedx+json' },
}

export const attestImageJob = defineJob({
  kind: ATTEST_JOB,
  payload: Type.Object({ pluginId: Type.String(), orgId: Type.String(), digest: Type.String() }),
  audit: none('what it publishes is of a build that left its own event'),
  concurrency: 2,
  async run(context, { pluginId, orgId, digest }) {
    const { runtime } = context
    const plugin = await context.read((db) => livePlugin(db, { pluginId, orgId }))
    // The image was replaced meanwhile: the next build publishes its own attestations.
    if (plugin === null || plugin.imageDigest !== digest || plugin.attestations === null) return
    const registry = registryClient(runtime)
    const repository = repositoryOf(plugin)
    const image = await registry.manifest(repository, digest)
    if (image === null) return
    const subject = { mediaType: image.media, digest, size: image.bytes.length }
    const manifests: object[] = []
    for (const kind of ['provenance', 'sbom'] as const) {
      if (plugin.attestations[kind] === undefined) continue
      const content = await keptDocument(runtime, plugin, kind)
      manifests.push(await putArtifact(registry, repository, { ...KINDS[kind], content, subject }))
    }
    const index = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests }))
    await registry.putManifest(repository, attestationTag(digest), { bytes: index, media: INDEX })
    await context.finish(async ({ enqueue }) => {
      await enqueue(readingOf(repository, [], 'service:server'))
      await enqueue(publicCopiesOf(plugin))
    })
  },
})

interface Artifact {
  readonly artifactType: string
  readonly mediaType: string
  readonly content: Buffer
  readonly subject: object
}

/** @returns the descriptor of its manifest. */
async function putArtifact(
  registry: RegistryClient,
  repository: string,
  { artifactType, mediaType, content, subject }: Artifact,
): Promise<object> {
  const config = { mediaType: EMPTY.mediaType, digest: await registry.putBlob(repository, EMPTY.bytes), size: 2 }
  const layer = { mediaType, digest: await registry.putBlob(repository, content), size: content.length }
  const manifest = { schemaVersion: 2, mediaType: MANIFEST, artifactType, config, layers: [layer], subject }
  const bytes = Buffer.from(JSON.stringify(manifest))
  const digest = digestOf(bytes)
  await registry.putManifest(repository, digest, { bytes, media: MANIFEST })
  return { mediaType: MANIFEST, digest, size: bytes.length, artifactType }
}
