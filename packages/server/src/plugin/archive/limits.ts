/** What an uploaded archive may hold, and what reading it may cost. Source: spec platform 10.2. */

export interface ArchiveLimits {
  readonly entriesMax: number
  /** All entries together, unpacked. */
  readonly extractedBytesMax: number
  /** Unpacked size over packed size of one entry. */
  readonly ratioMax: number
  /** Processor time of the reading process for the first `CPU_BYTES` unpacked. */
  readonly cpuMsMax: number
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entriesMax: 10_000,
  extractedBytesMax: 2 * 1024 ** 3,
  ratioMax: 200,
  cpuMsMax: 2000,
}

/** An entry of this size or less is not a bomb, whatever its ratio: a few spaces pack very well. */
export const RATIO_FREE_BYTES = 4096

/** A large archive gets `cpuMsMax` again for each further piece of this size: unpacking it takes far less. */
export const CPU_BYTES = 512 * 1024 ** 2

export const NAME_BYTES_MAX = 1024
export const SEGMENT_BYTES_MAX = 255
export const DEPTH_MAX = 64

/** A file that is read as text: a specification, a Dockerfile. */
export const TEXT_BYTES_MAX = 1_048_576
