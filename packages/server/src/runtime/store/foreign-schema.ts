/** The database was made by another build. The message names both versions and says what to do; nothing was changed. */
export class ForeignSchema extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ForeignSchema'
  }
}
