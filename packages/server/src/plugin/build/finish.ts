/**
 * Turns a built image into a ready plugin. The server reads the image that a builder named from the registry, verifies
 * its digests, copies it into the plugin's repository, and marks the plugin as ready with what it read. The server
 * trusts no statement of a builder.
 *
 * INVARIANT: a plugin that is ready has an image that can be pulled by its digest, and the facts on its row are that
 * image's.
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
import { dropLater, publicCopiesOf } from '../build-job/image-messages.js'
import { repositoryOf, stagingOf, tagOf } from '../build-job/staging.js'
import { builtImageFacts } from '../image/built-image.js'
import { lookAt } from '../scan/look.js'
import { type CheckedImage, checkImage, ImageRefused } from './check-image.js'
import { attest, readContents } from './examine.js'
import { judgeImage } from './judge-image.js'
import { FINISH_JOB } from './plan.js'
import { livePlugin } from './plugin-state.js'
import { type BuildQueue, type BuiltImage, createBuildQueue, type Held } from './queue.js'
import { anyJob } from './visible.js'

/** The build fails when the registry does not answer for 21 minutes; it is then retried as a whole. */
const ATTEMPTS_MAX = 9

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
            : 'the image could not be published'
        await queue.fail(held, { category: 'network', message, isPermanent: false })
      } else throw error
    }
  },
})

const isAway = (error: unknown): boolean =>
  !(error instanceof ImageRefused) && !(error instanceof RegistryFault && error.kind !== 'away')

/** Deletes a refused image. If that fails, the image belongs to no plugin. */
const dropStaged = ({ runtime }: JobContext, { jobId }: Held, digest: string): Promise<unknown> =>
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
  if (plugin === null) throw new ImageRefused('other', 'the plugin was deleted')
  const { image, manifest } = await verified(registry, staging, digest, runtime.settings.PLUGIN_IMAGE_MAX_MB)
  const { bytes, layers, config } = image
  // The quota is checked first, so that no image without room is read.
  await checkRoom(context, plugin.orgId, bytes)
  const keep = () => queue.advance(held, 'verifying')
  const contents = await readContents(context, registry, staging, { job, plugin }, image, keep)
  const looked = await lookAt(context, registry, staging, manifest, image.blobs)
  if (!(await queue.advance(held, 'checking'))) return
  const facts = builtImageFacts({ digest, bytes, layers: layers.length, config, baseImage: plugin.baseImage })
  const examined = await attest(context, job, plugin, { contents, looked }, facts)
  const builtImage = { ...facts, ...examined.facts }
  await judgeImage(context, job, plugin, builtImage)
  // From here on the build cannot be cancelled.
  if (!(await queue.advance(held, 'publishing'))) return
  const repository = repositoryOf(plugin)
  const tag = tagOf(plugin.version)
  await publish(registry, staging, { repository, tag }, image, manifest)
  const ready = {
    imageRef: `${repository}:${tag}`,
    imageDigest: digest,
    imageSizeBytes: image.bytes,
    usesRootUser: builtImage.usesRootUser,
    builtImage,
    attestations: examined.attestations,
  }
  const left = () => dropLater({ repository, tag, digest }, plugin.orgId, runtime.clock.now())
  const isReady = await completeAsJudged(context, queue, held, ready, plugin.revision).catch(async (error: unknown) => {
    // It is published, and no row will name it.
    if (error instanceof ImageRefused) await context.write(({ enqueue }) => enqueue(left()))
    throw error
  })
  await registry.deleteManifest(staging, digest)
  await context.finish(async ({ enqueue }) => {
    await enqueue(readingOf(repository, [digest], 'service:server'))
    await enqueue(publicCopiesOf(plugin))
    // The plugin was deleted or uploaded again meanwhile: no row names the image.
    if (!isReady) await enqueue(left())
  })
}

/**
 * Completes the build with what the rules were asked about. A plugin that changed meanwhile is judged again.
 *
 * @returns false when the build is over for another reason.
 * @throws ImageRefused when the rules block the plugin as it is now.
 */
async function completeAsJudged(
  context: JobContext,
  queue: BuildQueue,
  held: Held,
  image: BuiltImage & Required<Pick<BuiltImage, 'builtImage'>>,
  revision: number,
): Promise<boolean> {
  for (let judged = revision; ; ) {
    const outcome = await queue.complete(held, image, judged)
    if (outcome !== 'changed') return outcome
    const job = await context.read((db) => anyJob(db, held.jobId))
    const plugin = await context.read((db) => livePlugin(db, job))
    if (plugin === null) return false
    await judgeImage(context, job, plugin, image.builtImage)
    judged = plugin.revision
  }
}

/** @throws ImageRefused when the account has no room for the image. */
async function checkRoom({ runtime, read }: JobContext, orgId: string, bytes: number): Promise<void> {
  try {
    await read((db) => capacityOf(runtime).checkHeadroom(db, orgId, 'storageBytes', bytes))
  } catch (error) {
    // guard: an-image-takes-its-bytes
    if (error instanceof Refusal && error.code === 'QUOTA_EXCEEDED') {
      throw new ImageRefused('quota', `the image has ${bytes} bytes, which exceeds the storage quota of the account`)
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
    throw new ImageRefused('validation', 'the image is an index of several images: build one for a single platform')
  }
  const image = await checkImage(manifest, {
    bytesMax: sizeMaxMb * 1024 ** 2,
    configOf: (config) => registry.document(repository, config),
    blobBytes: (blob) => registry.blobBytes(repository, blob),
  })
  return { image, manifest }
}

/** Blobs first, the manifest last, so that a manifest never refers to missing blobs. */
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
  if (stored === null) throw new RegistryFault('away', 'the registry does not return the manifest that was pushed')
  for (const blob of blobs) {
    // guard: what-was-mounted-is-there
    if ((await registry.blobBytes(repository, blob)) === null) {
      throw new RegistryFault('away', `the registry does not return the blob ${blob} that was mounted`)
    }
  }
}
