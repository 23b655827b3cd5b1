/** Removes base images that no recent build used, and parts of images that were not fetched whole. Running builds have their own links. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { blobOf, type Descriptor, manifestsOf, putManifests } from './base-view.js'

/** @param usedSinceMs images that were last used before this are removed. @returns how many images were removed. */
export function pruneBases(layout: string, usedSinceMs: number): number {
  const all = manifestsOf(layout)
  // guard: a-base-image-that-is-used-stays
  const kept = all.filter(({ digest }) => isUsed(blobOf(layout, digest), usedSinceMs))
  const blobs = join(layout, 'blobs', 'sha256')
  if (!existsSync(blobs)) return 0
  const needed = new Set(
    kept.flatMap((descriptor) => [descriptor, ...partsOf(layout, descriptor)]).map(({ digest }) => digest),
  )
  for (const name of readdirSync(blobs)) {
    // guard: what-another-base-image-needs-stays
    if (!needed.has(`sha256:${name}`)) rmSync(join(blobs, name), { force: true })
  }
  // Last, since a full disk has room for it only now. A listed image without its blobs is fetched again.
  if (kept.length < all.length) putManifests(layout, kept)
  return all.length - kept.length
}

function partsOf(layout: string, { digest }: Descriptor): Descriptor[] {
  const { config, layers = [] } = JSON.parse(readFileSync(blobOf(layout, digest), 'utf8')) as {
    config?: Descriptor
    layers?: Descriptor[]
  }
  return config === undefined ? layers : [config, ...layers]
}

const isUsed = (path: string, sinceMs: number): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sinceMs
