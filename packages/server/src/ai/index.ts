/** What other parts of the server may use of the generation domain. */
import { defineDomain, provide } from '../runtime/manifest.js'
import { capacityPort } from '../runtime/records/capacity.js'
import { compliancePort } from '../runtime/records/compliance.js'
import { pluginCatalogPort } from '../runtime/records/plugin-catalog.js'
import { aiDeclarations } from './declarations.js'
import { sweepGenerationsJob, sweepGenerationsSchedule } from './generation/sweep.js'
import { AI_OPERATIONS } from './operations.js'
import { aiRegistration } from './registration.js'
import { aiOf, aiPort } from './services.js'
import { aiTables } from './tables.js'

export const ai = defineDomain({
  ...aiDeclarations,
  operations: AI_OPERATIONS,
  jobs: [sweepGenerationsJob],
  schedules: [sweepGenerationsSchedule],
  tables: [aiTables],
  registration: aiRegistration,
  provides: [provide(aiPort, aiOf)],
  requires: [compliancePort, capacityPort, pluginCatalogPort],
})
