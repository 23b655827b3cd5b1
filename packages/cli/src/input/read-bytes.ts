/**
 * Decodes the bytes of a file, and refuses what cannot be a rule or entity file.
 * INVARIANT: the returned text is valid UTF-8 without a byte order mark.
 */

/** A larger file is refused. The configuration can set another limit. */
export const fileBytesMax = 16 * 1024 * 1024

export class UnreadableError extends Error {
  constructor(
    message: string,
    readonly fix: string,
  ) {
    super(message)
    this.name = 'UnreadableError'
  }
}

export function refuseSize(bytes: number, max: number): void {
  if (bytes <= max) return
  throw new UnreadableError(`the file has ${bytes} bytes, ${max} are allowed`, 'split it, or set `maxFileBytes`')
}

/** Throws `UnreadableError`. */
export function decodeText(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new UnreadableError('the file is UTF-16', 'save it as UTF-8')
  }
  if (bytes.subarray(0, 8192).includes(0)) {
    throw new UnreadableError('the file is binary', 'name text files only')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableError('the file is not valid UTF-8', 'save it as UTF-8')
  }
}
