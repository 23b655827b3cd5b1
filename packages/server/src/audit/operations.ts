/** The operations of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { exportBundle } from './chain/export.js'
import { getProof } from './chain/get-proof.js'
import { verifyLogOfOrganization } from './chain/verify.js'
import { getCheckpoint, getKey } from './checkpoint/get.js'
import { eraseEvents } from './event/erase.js'
import { ingestEvents } from './event/ingest.js'
import { listEvents } from './event/list.js'

export const auditOperations: readonly Operation[] = [
  listEvents,
  ingestEvents,
  eraseEvents,
  verifyLogOfOrganization,
  getProof,
  exportBundle,
  getCheckpoint,
  getKey,
]
