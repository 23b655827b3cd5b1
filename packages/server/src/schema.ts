/** The tables of every domain, in the order in which they are created. */
import { auditTables } from './audit/tables.js'
import { notificationTables } from './compliance/notification/tables.js'
import { complianceTables } from './compliance/tables.js'
import { credentialTables } from './identity/credential/tables.js'
import { identityTables } from './identity/tables.js'
import { messageTables } from './message/tables.js'
import { pipelineTables } from './pipeline/tables.js'
import { pluginTables } from './plugin/tables.js'
import { quotaTables } from './quota/tables.js'
import { httpTables } from './runtime/http/tables.js'
import { jobTables } from './runtime/jobs/tables.js'

export const TABLE_SETS = [
  httpTables,
  jobTables,
  identityTables,
  credentialTables,
  auditTables,
  quotaTables,
  complianceTables,
  notificationTables,
  messageTables,
  pipelineTables,
  pluginTables,
] as const
