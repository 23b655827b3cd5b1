/**
 * The base images of one build, in a separate OCI layout: the builder's layout also has those of other organizations,
 * which a flawed program in the sandbox could reveal. Each blob is hashed before each use, and then linked.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { copyFile, link, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface Descriptor {
  readonly mediaType?: string
  readonly digest: string
  readonly size: number
  readonly annotations?: Readonly<Record<string, string>>
}

/** A blob in the builder's layout does not match its digest; it was removed. */
export class Poisoned extends Error {}

const REF_NAME = 'org.opencontainers.image.ref.name'
const DIGEST = /^sha256:[0-9a-f]{64}$/

/** Links the image of a reference into the layout of one build. @throws Poisoned */
export async function linkBase(layout: string, ref: string, view: string): Promise<void> {
  const descriptor = manifestsOf(layout).find(({ annotations }) => annotations?.[REF_NAME] === ref)
  if (descriptor === undefined) throw new Poisoned(`the base image ${ref} is not in the layout of this builder`)
  const manifest = await linkBlob(layout, view, descriptor)
  // Marks the image as recently used, so that it is not pruned.
  const now = new Date()
  utimesSync(blobOf(layout, descriptor.digest), now, now)
  const { config, layers = [] } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    config?: Descriptor
    layers?: Descriptor[]
  }
  for (const part of [...(config === undefined ? [] : [config]), ...layers]) await linkBlob(layout, view, part)
  putRef(view, descriptor, ref)
}

/** A layout has one writer at a time. */
export function putRef(layout: string, { annotations: _, ...descriptor }: Descriptor, ref: string): void {
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion": "1.0.0"}')
  const others = manifestsOf(layout).filter(({ annotations }) => annotations?.[REF_NAME] !== ref)
  putManifests(layout, [...others, { ...descriptor, annotations: { [REF_NAME]: ref } }])
}

export function putManifests(layout: string, manifests: readonly Descriptor[]): void {
  const path = join(layout, 'index.json')
  writeFileSync(`${path}.partial`, JSON.stringify({ schemaVersion: 2, manifests }))
  renameSync(`${path}.partial`, path)
}

export const blobOf = (layout: string, digest: string): string =>
  join(layout, 'blobs', 'sha256', digest.slice('sha256:'.length))

export function manifestsOf(layout: string): readonly Descriptor[] {
  const path = join(layout, 'index.json')
  if (!existsSync(path)) return []
  return (JSON.parse(readFileSync(path, 'utf8')) as { manifests?: Descriptor[] }).manifests ?? []
}

async function linkBlob(layout: string, view: string, { digest }: Descriptor): Promise<string> {
  if (!DIGEST.test(digest)) throw new Poisoned('the base image has a part without a digest')
  const [from, to] = [blobOf(layout, digest), blobOf(view, digest)]
  if (existsSync(to)) return to
  // guard: a-base-image-is-hashed-on-each-use
  if ((await hashOf(from)) !== digest) {
    await rm(from, { force: true })
    throw new Poisoned(`the blob ${digest} of a base image was changed in the layout of this builder`)
  }
  mkdirSync(join(view, 'blobs', 'sha256'), { recursive: true })
  await link(from, to).catch(() => copyFile(from, to))
  return to
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  if (!existsSync(path)) return ''
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return `sha256:${hash.digest('hex')}`
}
