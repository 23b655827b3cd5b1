/** What other parts of the server may know of the audit domain. */
export { refuseRolledBack } from './checkpoint/refuse-rolled-back.js'
export { auditLog } from './log.js'
export { installAudit } from './service.js'
