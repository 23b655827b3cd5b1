/** What other domains of the server may import from the message domain. */
import { defineDomain } from '../runtime/manifest.js'
import { capacityPort } from '../runtime/records/capacity.js'
import { messageDeclarations } from './declarations.js'
import { postNotice } from './notice/post.js'
import { messageOperations } from './operations.js'
import { messageRegistration } from './registration.js'
import { sweepMessages, sweepMessagesSchedule } from './sweep/sweep.js'
import { messageTables } from './tables.js'

export const message = defineDomain({
  ...messageDeclarations,
  operations: messageOperations,
  jobs: [postNotice, sweepMessages],
  schedules: [sweepMessagesSchedule],
  tables: [messageTables],
  registration: messageRegistration,
  requires: [capacityPort],
})
