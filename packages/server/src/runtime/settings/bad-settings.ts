/** What the operator has to correct before the server can start, one line a mistake, for standard error. */
export class BadSettings extends Error {
  constructor(messages: readonly string[], options: { readonly cause?: unknown } = {}) {
    super(messages.join('\n'), options)
    this.name = 'BadSettings'
  }
}
