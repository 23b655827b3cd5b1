/** This domain stores nothing about organizations; the console stores everything through the API. */
import type { DomainRegistration } from '../runtime/operation/registration.js'

export const consoleRegistration: DomainRegistration = {
  name: 'console',
  exportSections: [],
  exportReads: {},
  async *exportRows() {},
  purge: async () => 0,
  async erase() {},
  usage: {},
  async *blobs() {},
}
