/** What other parts of the server may know of the audit domain. */
export { auditLog } from './log.js'
export { auditOperations } from './operations.js'
export { type Audit, type AuditOptions, installAudit } from './service.js'
