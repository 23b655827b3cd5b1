/** Limits of an uploaded archive, and of the cost of reading it. Source: spec platform 10.2. */

export interface ArchiveLimits {
  readonly entriesMax: number
  /** Total size of all entries, unpacked. */
  readonly extractedBytesMax: number
  /** Unpacked size divided by compressed size of one entry. */
  readonly ratioMax: number
  /** CPU time of the reading process for the first `CPU_BYTES` unpacked bytes. */
  readonly cpuMsMax: number
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entriesMax: 10_000,
  extractedBytesMax: 2 * 1024 ** 3,
  ratioMax: 200,
  cpuMsMax: 2000,
}

/** An entry of at most this size is not a zip bomb, whatever its ratio: a few spaces compress very well. */
export const RATIO_FREE_BYTES = 4096

/**
 * A large archive gets another `cpuMsMax` for each further piece of this size, which is far more than unpacking needs.
 */
export const CPU_BYTES = 512 * 1024 ** 2

export const NAME_BYTES_MAX = 1024
export const SEGMENT_BYTES_MAX = 255
export const DEPTH_MAX = 64

/** Limit for a file that is read as text: a specification, a Dockerfile. */
export const TEXT_BYTES_MAX = 1_048_576
