/** What this domain holds of organizations: nothing; images lie in the registry, and their records belong to plugins. */
import type { DomainRegistration } from '../runtime/operation/registration.js'

export const registryRegistration: DomainRegistration = {
  name: 'registry',
  exportSections: [],
  exportReads: {},
  async *exportRows() {},
  purge: async () => 0,
  async erase() {},
  usage: {},
  async *blobs() {},
}
