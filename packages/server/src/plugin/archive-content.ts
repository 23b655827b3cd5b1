/** What an archive of a plugin holds, as its reader gives it to the manifest. */

export interface Archive {
  readonly entries: readonly ArchiveEntry[]
  /** Unpacked. */
  readonly bytes: number
  /** The file of this path, byte by byte; a folder is none. */
  find(path: string): ArchiveEntry | null
  /** Its text, at most 1 MiB of UTF-8. @throws ArchiveFault */
  text(entry: ArchiveEntry): Promise<string>
  /** Its contents, in pieces of at most 64 KiB. */
  pieces(entry: ArchiveEntry): AsyncIterable<Buffer>
}

/** One entry that keeps the rules. */
export interface ArchiveEntry {
  /** A relative path; of a folder with a slash at the end. */
  readonly name: string
  readonly isFolder: boolean
  /** Its owner may run it, as a program on Unix said that wrote the archive. */
  readonly isExecutable: boolean
  readonly packedBytes: number
  readonly bytes: number
  readonly crc32: number
  readonly isDeflated: boolean
  /** Where its packed bytes begin. */
  readonly dataAt: number
}
