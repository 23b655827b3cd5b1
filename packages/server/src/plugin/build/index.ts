/** What a builder may use: claims of builds, and unpacking an archive. */
export { archiveReader, type ArchiveReader } from '../archive/isolated.js'
export { ARCHIVE_LIMITS } from '../archive/limits.js'
export { CATEGORIES, type BuildCategory } from './plan.js'
export {
  type BuildClaim,
  type BuildFailure,
  type BuildQueue,
  type BuiltImage,
  createBuildQueue,
  type Held,
} from './queue.js'
