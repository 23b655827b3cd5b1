/** The operations of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { exportChain } from './chain/export.js'
import { proveChain } from './chain/prove.js'
import { verifyChain } from './chain/verify.js'
import { getCheckpoint } from './checkpoint/get.js'
import { eraseEvents } from './event/erase.js'
import { ingestEvents } from './event/ingest.js'
import { listEvents } from './event/list.js'
import { getKey } from './key/get.js'

export const auditOperations: readonly Operation[] = [
  listEvents,
  ingestEvents,
  eraseEvents,
  verifyChain,
  proveChain,
  exportChain,
  getCheckpoint,
  getKey,
]
