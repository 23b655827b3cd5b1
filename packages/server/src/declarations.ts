/** What every domain declares, in the order in which the domains are composed. A new domain adds its line here and in `domains.ts`. */
import { aiDeclarations } from './ai/declarations.js'
import { auditDeclarations } from './audit/declarations.js'
import { billingDeclarations } from './billing/declarations.js'
import { complianceDeclarations } from './compliance/declarations.js'
import { consoleDeclarations } from './console/declarations.js'
import { identityDeclarations } from './identity/declarations.js'
import { messageDeclarations } from './message/declarations.js'
import { notificationDeclarations } from './notification/declarations.js'
import { pipelineDeclarations } from './pipeline/declarations.js'
import { pluginDeclarations } from './plugin/declarations.js'
import { quotaDeclarations } from './quota/declarations.js'
import { registryDeclarations } from './registry/declarations.js'
import { reportingDeclarations } from './reporting/declarations.js'
import { ssoDeclarations } from './sso/declarations.js'

export const DECLARATIONS = [
  identityDeclarations,
  auditDeclarations,
  quotaDeclarations,
  complianceDeclarations,
  notificationDeclarations,
  messageDeclarations,
  pluginDeclarations,
  registryDeclarations,
  pipelineDeclarations,
  billingDeclarations,
  reportingDeclarations,
  aiDeclarations,
  consoleDeclarations,
  ssoDeclarations,
] as const
