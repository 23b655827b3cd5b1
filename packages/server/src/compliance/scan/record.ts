/** A scan as the API shows it: a sweep of the inventory through the rules (spec compliance 10). */
import type { Target } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { TARGETS } from '../rule/schema.js'
import type { ScanRow } from '../tables.js'

export const SCAN_TARGETS = [...TARGETS, 'all'] as const
export type ScanTarget = (typeof SCAN_TARGETS)[number]
export const SCAN_STATES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
export const SCAN_TRIGGERS = ['manual', 'scheduled', 'rule-change', 'rule-dry-run'] as const
export type ScanTrigger = (typeof SCAN_TRIGGERS)[number]

const ENTITIES_MAX = 1000

export const ScanTargets = Type.Enum([...SCAN_TARGETS])

const filterFields = {
  entityIds: Type.Optional(
    Type.Array(Uuid, { minItems: 1, maxItems: ENTITIES_MAX, description: 'These records alone' }),
  ),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Part of the name' })),
  accessModifier: Type.Optional(Type.Enum(['public', 'private'])),
  isDefault: Type.Optional(Type.Boolean()),
}

/** How a caller may restrict a scan. An organization in the filter is replaced by the caller's. */
export const ScanFilter = strictObject({
  orgId: Type.Optional(Type.String({ maxLength: 200, description: 'Replaced by the organization of the request' })),
  ...filterFields,
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const ScanRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  userId: nullable(Type.String({ description: 'Who started it; null for the server itself' })),
  target: ScanTargets,
  filter: nullable(strictObject({ orgId: Uuid, ...filterFields })),
  dryRun: Type.Boolean({ description: 'Writes no entries to the check log and notifies nobody' }),
  triggeredBy: Type.Enum([...SCAN_TRIGGERS]),
  status: Type.Enum([...SCAN_STATES]),
  totalEntities: count('Counted when the scan began; grows with records that are added meanwhile'),
  processedEntities: count('The sum of the three counts'),
  passCount: count('Without a violation'),
  warnCount: count('With warnings alone'),
  blockCount: count('With a violation that blocks'),
  errorMessage: nullable(Type.String()),
  createdAt: Instant,
  startedAt: nullable(Instant),
  completedAt: nullable(Instant),
  cancelledAt: nullable(Instant),
  cancelledBy: nullable(Type.String()),
})

export const scanRecord = (row: ScanRow): Static<typeof ScanRecord> => ({
  id: row.id,
  orgId: row.orgId,
  userId: row.userId,
  target: row.target as ScanTarget,
  filter: row.filter as Static<typeof ScanRecord>['filter'],
  dryRun: row.dryRun,
  triggeredBy: row.triggeredBy as ScanTrigger,
  status: row.status as (typeof SCAN_STATES)[number],
  totalEntities: row.totalEntities,
  processedEntities: row.processedEntities,
  passCount: row.passCount,
  warnCount: row.warnCount,
  blockCount: row.blockCount,
  errorMessage: row.errorMessage,
  createdAt: toIso(row.createdAtMs),
  startedAt: toIsoOrNull(row.startedAtMs),
  completedAt: toIsoOrNull(row.completedAtMs),
  cancelledAt: toIsoOrNull(row.cancelledAtMs),
  cancelledBy: row.cancelledBy,
})

/** The targets that a scan covers, in the order of the sweep. */
export const targetsOf = ({ target }: Pick<ScanRow, 'target'>): readonly Target[] =>
  target === 'all' ? TARGETS : [target as Target]

export const isOver = ({ status }: Pick<ScanRow, 'status'>): boolean => status !== 'pending' && status !== 'running'
