/** What other parts of the server may use of the registry domain. */
import { defineDomain } from '../runtime/manifest.js'
import { capacityPort } from '../runtime/records/capacity.js'
import { pluginNamesPort } from '../runtime/records/plugin-names.js'
import { registryDeclarations } from './declarations.js'
import { dropRepositoryJob } from './image/drop.js'
import { registryOperations } from './operations.js'
import { readAllJob, readAllSchedule, readRepositoryJob } from './reading/job.js'
import { registryRegistration } from './registration.js'
import { registryTables } from './tables.js'

export {
  digestOf,
  type RegistryClient,
  type RegistryDocument,
  RegistryFault,
  registryClient,
} from './client.js'
export { type Collected, type CollectionSteps, collectRegistry } from './collection/collect.js'
export { collectionCommand } from './collection/command.js'
export { isPushHeld } from './collection/hold.js'
export { attestationTag, deleteAttested } from './image/attestations.js'
export { copyWhole } from './image/copy-tree.js'
export { bundleOf, ISSUER, SERVICE } from './keys.js'
export { mayPull } from './may-pull.js'
export { MANIFEST_MEDIA } from './media.js'
export { newTokenKey } from './new-key.js'
export { readingOf } from './reading/job.js'
export { tokenFor } from './sign.js'

export const registry = defineDomain({
  ...registryDeclarations,
  operations: registryOperations,
  jobs: [readRepositoryJob, readAllJob, dropRepositoryJob],
  schedules: [readAllSchedule],
  tables: [registryTables],
  registration: registryRegistration,
  requires: [capacityPort, pluginNamesPort],
})
