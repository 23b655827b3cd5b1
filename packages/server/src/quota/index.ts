/** What other parts of the server may know of the quota domain. */
import type { Module } from '../runtime/module.js'
import { quotaRegistration } from './registration.js'

export { capacityPort } from './capacity/port.js'

export const quotaModule: Module = {
  name: 'quota',
  operations: [],
  jobs: [],
  schedules: [],
  templates: [],
  registration: quotaRegistration,
}
