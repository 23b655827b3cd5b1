/**
 * What prevents a process from starting although its settings are valid: a folder that cannot be written, a file that
 * is not a database, a full disk. It is reported in one line that says what to do, without a stack.
 */

/** The message is written to standard error unchanged. It contains no secret. */
export class CannotStart extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'CannotStart'
  }
}
