/** The mistakes that an operator must correct before the server can start: one line for each, for standard error. */
export class BadSettings extends Error {
  constructor(messages: readonly string[], options: { readonly cause?: unknown } = {}) {
    super(messages.join('\n'), options)
    this.name = 'BadSettings'
  }
}
