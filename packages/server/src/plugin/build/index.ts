/** What a builder may import: claims of builds, and unpacking an archive. */
export { type ArchiveReader, archiveReader } from '../archive/isolated.js'
export { ARCHIVE_LIMITS } from '../archive/limits.js'
export type { BuildFailure } from './failure.js'
export { type BuildCategory, CATEGORIES } from './plan.js'
export {
  type BuildClaim,
  type BuildQueue,
  type BuiltImage,
  createBuildQueue,
  type Held,
} from './queue.js'
