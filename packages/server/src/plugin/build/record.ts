/** A build as the API shows it. */
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import { oneOf } from '../manifest/schema.js'
import type { BuildJobRow } from '../tables.js'
import { BUILD_PHASES, BUILD_STATES, CATEGORIES } from './plan.js'

const Violations = Type.Array(
  Type.Unsafe<ComplianceViolation>({ type: 'object', description: 'A violation of a rule, as verdicts show it' }),
  { description: 'Violations of the rules about the built image; absent unless they blocked it' },
)

export const Build = strictObject({
  jobId: Uuid,
  orgId: Uuid,
  pluginId: Uuid,
  pluginName: Type.String(),
  version: Type.String(),
  buildType: Type.String(),
  state: oneOf<string>(BUILD_STATES),
  phase: nullable(oneOf<string>(BUILD_PHASES)),
  round: Type.Integer({
    description: '0 for the first attempts, then the number of the automatic round of dead letters',
  }),
  totalAttempts: Type.Integer(),
  exhausted: Type.Boolean(),
  error: nullable(Type.String()),
  category: nullable(oneOf<string>(CATEGORIES)),
  violations: Type.Optional(Violations),
  nextRunAt: nullable(Instant),
  createdAt: Instant,
  startedAt: nullable(Instant),
  finishedAt: nullable(Instant),
})

/** The row must have the shown state in place of the stored one. */
export function buildView(job: BuildJobRow) {
  const isPending = job.state === 'waiting' || job.state === 'delayed' || (job.state === 'dead' && !job.isExhausted)
  return {
    jobId: job.id,
    orgId: job.orgId,
    pluginId: job.pluginId,
    pluginName: job.pluginName,
    version: job.version,
    buildType: job.buildType,
    state: job.state,
    phase: job.phase,
    round: job.round,
    totalAttempts: job.totalAttempts,
    exhausted: job.isExhausted,
    error: job.lastError,
    category: job.category,
    ...(job.violations === null ? {} : { violations: [...job.violations] }),
    nextRunAt: isPending ? toIso(job.runAtMs) : null,
    createdAt: toIso(job.createdAtMs),
    startedAt: toIsoOrNull(job.startedAtMs),
    finishedAt: toIsoOrNull(job.finishedAtMs),
  }
}
