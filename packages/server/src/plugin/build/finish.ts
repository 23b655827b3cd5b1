/**
 * From built to ready: the server reads the image that a builder named from the registry, holds it to its digests, copies it
 * into the plugin's repository and makes the plugin ready with what it read. A builder is believed nothing.
 *
 * INVARIANT: a plugin that is ready has an image that can be pulled by its digest, and the facts on its row are that image's.
 */
import Type from 'typebox'
import {
  digestOf,
  MANIFEST_MEDIA,
  type RegistryClient,
  type RegistryDocument,
  RegistryFault,
  readingOf,
  registryClient,
} from '../../registry/index.js'
import { Refusal } from '../../runtime/errors.js'
import { defineJob, type JobContext } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { publicCopiesOf } from '../build-job/image-messages.js'
import { repositoryOf, stagingOf, tagOf } from '../build-job/staging.js'
import { builtImageFacts } from '../image/built-image.js'
import { lookAt } from '../scan/look.js'
import { type CheckedImage, checkImage, ImageRefused } from './check-image.js'
import { attest, readContents } from './examine.js'
import { judgeImage } from './judge-image.js'
import { FINISH_JOB } from './plan.js'
import { livePlugin } from './plugin-state.js'
import { type BuildQueue, createBuildQueue, type Held } from './queue.js'
import { anyJob } from './seen.js'

/** A registry that is away so long makes the build fail; it is tried again as a whole. */
const ATTEMPTS_MAX = 6

const Payload = Type.Object({
  jobId: Type.String(),
  fence: Type.Integer(),
  digest: Type.String(),
  orgId: Type.String(),
})

export const finishBuildJob = defineJob({
  kind: FINISH_JOB,
  payload: Payload,
  audit: none('the end of a build writes its own event'),
  concurrency: 2,
  attemptsMax: ATTEMPTS_MAX,
  async run(context, { jobId, fence, digest }) {
    const queue = createBuildQueue(context.runtime)
    const held = { jobId, fence }
    try {
      await finish(context, queue, held, digest)
    } catch (error) {
      if (!isAway(error)) await dropStaged(context, held, digest)
      if (error instanceof ImageRefused) {
        const { category, message, violations } = error
        await queue.fail(held, {
          ...{ category, message, isPermanent: true },
          ...(violations === undefined ? {} : { violations }),
        })
      } else if (error instanceof RegistryFault && error.kind !== 'away') {
        await queue.fail(held, {
          category: 'validation',
          message: error.message,
          isPermanent: error.kind === 'refused',
        })
      } else if (context.job.attempt >= ATTEMPTS_MAX) {
        const message =
          error instanceof RegistryFault || error instanceof Refusal
            ? error.message
            : 'the image could not be taken over'
        await queue.fail(held, { category: 'network', message, isPermanent: false })
      } else throw error
    }
  },
})

const isAway = (error: unknown): boolean =>
  !(error instanceof ImageRefused) && !(error instanceof RegistryFault && error.kind !== 'away')

/** What is refused does not stay; where that fails, the image belongs to no plugin. */
const dropStaged = ({ runtime }: JobContext, { jobId }: Held, digest: string): Promise<void> =>
  registryClient(runtime)
    .deleteManifest(stagingOf(jobId), digest)
    .catch(() => undefined)

async function finish(context: JobContext, queue: BuildQueue, held: Held, digest: string): Promise<void> {
  const { runtime } = context
  const registry = registryClient(runtime)
  const staging = stagingOf(held.jobId)
  if (!(await queue.advance(held, 'verifying'))) return
  const job = await context.read((db) => anyJob(db, held.jobId))
  const plugin = await context.read((db) => livePlugin(db, job))
  if (plugin === null) throw new ImageRefused('other', 'the plugin is gone')
  const { image, manifest } = await verified(registry, staging, digest, runtime.settings.PLUGIN_IMAGE_MAX_MB)
  const { bytes, layers, config } = image
  // Nothing is read of what there is no room for.
  await checkRoom(context, plugin.orgId, bytes)
  const contents = await readContents(context, registry, staging, plugin, image)
  const looked = await lookAt(context, registry, staging, manifest, image.blobs)
  if (!(await queue.advance(held, 'checking'))) return
  const facts = builtImageFacts({ digest, bytes, layers: layers.length, config, baseImage: plugin.baseImage })
  const examined = await attest(context, job, plugin, { contents, looked }, facts)
  const builtImage = { ...facts, ...examined.facts }
  await judgeImage(context, job, plugin, builtImage)
  // From here on nobody cancels it.
  if (!(await queue.advance(held, 'publishing'))) return
  const repository = repositoryOf(plugin)
  await publish(registry, staging, { repository, tag: tagOf(plugin.version) }, image, manifest)
  await queue.complete(held, {
    imageRef: `${repository}:${tagOf(plugin.version)}`,
    imageDigest: digest,
    imageSizeBytes: image.bytes,
    usesRootUser: builtImage.usesRootUser,
    builtImage,
    attestations: examined.attestations,
  })
  await registry.deleteManifest(staging, digest)
  await context.finish(async ({ enqueue }) => {
    await enqueue(readingOf(repository, [digest], 'service:server'))
    await enqueue(publicCopiesOf(plugin))
  })
}

/** @throws ImageRefused where the account has no room for it. */
async function checkRoom({ runtime, read }: JobContext, orgId: string, bytes: number): Promise<void> {
  try {
    await read((db) => capacityOf(runtime).checkHeadroom(db, orgId, 'storageBytes', bytes))
  } catch (error) {
    // guard: an-image-takes-its-bytes
    if (error instanceof Refusal && error.code === 'QUOTA_EXCEEDED') {
      throw new ImageRefused('quota', `the image has ${bytes} bytes, and the account has no room for them`)
    }
    throw error
  }
}

interface Verified {
  readonly image: CheckedImage
  readonly manifest: RegistryDocument
}

async function verified(
  registry: RegistryClient,
  repository: string,
  digest: string,
  sizeMaxMb: number,
): Promise<Verified> {
  const manifest = await registry.manifest(repository, digest)
  if (manifest === null) throw new ImageRefused('other', `the image ${digest} is not in the registry`)
  if (!(MANIFEST_MEDIA as readonly string[]).includes(manifest.media)) {
    throw new ImageRefused('validation', 'the image is an index of several: build one, of one platform')
  }
  const image = await checkImage(manifest, {
    bytesMax: sizeMaxMb * 1024 ** 2,
    configOf: (config) => registry.document(repository, config),
    blobBytes: (blob) => registry.blobBytes(repository, blob),
  })
  return { image, manifest }
}

/** Blobs first, the manifest last: no manifest ever stands without what it names. */
async function publish(
  registry: RegistryClient,
  from: string,
  { repository, tag }: { readonly repository: string; readonly tag: string },
  { blobs }: CheckedImage,
  manifest: RegistryDocument,
): Promise<void> {
  for (const blob of blobs) await registry.mount(blob, from, repository)
  await registry.putManifest(repository, tag, manifest)
  const stored = await registry.manifest(repository, digestOf(manifest.bytes))
  // guard: what-is-ready-can-be-pulled
  if (stored === null) throw new RegistryFault('away', 'the registry does not show what it was given')
}
