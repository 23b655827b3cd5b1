/** The contents of a plugin archive, as the archive reader passes them to the manifest reader. */

export interface Archive {
  readonly entries: readonly ArchiveEntry[]
  /** Total size of the unpacked entries. */
  readonly bytes: number
  /** The file with exactly this path; never a folder. */
  find(path: string): ArchiveEntry | null
  /** The text of an entry, at most 1 MiB of UTF-8. @throws ArchiveFault */
  text(entry: ArchiveEntry): Promise<string>
  /** The contents of an entry, in pieces of at most 64 KiB. */
  pieces(entry: ArchiveEntry): AsyncIterable<Buffer>
}

/** One valid entry. */
export interface ArchiveEntry {
  /** A relative path; for a folder, with a slash at the end. */
  readonly name: string
  readonly isFolder: boolean
  /** The owner may execute it, according to the Unix program that wrote the archive. */
  readonly isExecutable: boolean
  readonly packedBytes: number
  readonly bytes: number
  readonly crc32: number
  readonly isDeflated: boolean
  /** Offset of its compressed bytes in the archive. */
  readonly dataAt: number
}
