/**
 * What keeps a process from starting though its settings are well formed: a folder that cannot be written, a file that is no
 * database, a disk that is full. Told in one line with what to do, without a stack.
 */

/** Its message is for standard error as it stands; it holds no secret. */
export class CannotStart extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'CannotStart'
  }
}
