/** What other parts of the server may know of the audit domain. */
export { installAudit } from './service.js'
