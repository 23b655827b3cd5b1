/** What was read from a provider is older than what has been applied since: it has to be read again. */
export class StaleRead extends Error {
  constructor() {
    super('the account changed each time while the provider was asked; it is tried again later')
  }
}
