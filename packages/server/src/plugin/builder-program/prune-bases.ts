/** Removes base images that no recent build used. Running builds have their own links. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { blobOf, type Descriptor, manifestsOf, putManifests } from './base-view.js'

/** @param usedSinceMs images that were last used before this are removed. @returns how many images were removed. */
export function pruneBases(layout: string, usedSinceMs: number): number {
  const all = manifestsOf(layout)
  // guard: a-base-image-that-is-used-stays
  const kept = all.filter(({ digest }) => isUsed(blobOf(layout, digest), usedSinceMs))
  if (kept.length === all.length) return 0
  putManifests(layout, kept)
  const needed = new Set(
    kept.flatMap((descriptor) => [descriptor, ...partsOf(layout, descriptor)]).map(({ digest }) => digest),
  )
  for (const name of readdirSync(join(layout, 'blobs', 'sha256'))) {
    // guard: what-another-base-image-needs-stays
    if (!needed.has(`sha256:${name}`)) rmSync(join(layout, 'blobs', 'sha256', name), { force: true })
  }
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
