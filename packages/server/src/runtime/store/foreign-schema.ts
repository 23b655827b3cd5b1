/**
 * Thrown when another build made the database. The message names both versions and says what to do. Nothing was
 * changed.
 */
export class ForeignSchema extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ForeignSchema'
  }
}
