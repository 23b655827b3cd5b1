/** What other parts of the server may know of the audit domain. */
export { auditLog } from './log.js'
export { installAudit } from './service.js'
