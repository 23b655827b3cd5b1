/** What other parts of the server may know of the message domain. */
import type { Module } from '../runtime/module.js'
import type { Settings } from '../runtime/settings/load.js'
import { postNotice } from './notice/post.js'
import { messageOperations } from './operations.js'
import { messageRegistration } from './registration.js'
import { sweepMessages, sweepMessagesSchedule } from './sweep/sweep.js'

export { installHub as installMessages } from './event/hub.js'

export const messageModule = (settings: Settings): Module => ({
  name: 'message',
  operations: messageOperations(settings),
  jobs: [postNotice, sweepMessages],
  schedules: [sweepMessagesSchedule],
  templates: [],
  registration: messageRegistration,
})
