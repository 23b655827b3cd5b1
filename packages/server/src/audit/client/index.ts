/** Emits audit events to a Plumbline server from another process: `@plumbline/server/audit-client`. */

export {
  type ServiceTokenOptions,
  SignInRefused,
  serviceToken,
  type TokenSource,
} from '../../runtime/http/service-token.js'
export { type Metrics, noMetrics } from '../../runtime/metrics/port.js'
export { type AuditClient, type AuditClientOptions, createAuditClient, type EmittedEvent } from './client.js'
export { type AuditEmitter, type AuditEmitterOptions, createAuditEmitter } from './emitter.js'
export { BadEmitterSettings } from './emitter-settings.js'
export { fileSpool } from './file-spool.js'
export { redisSpool } from './redis-spool.js'
export { SPOOL_MAX, type Spool, type SpoolEntry } from './spool.js'
