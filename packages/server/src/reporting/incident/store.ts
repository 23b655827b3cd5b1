/** Stores reported incidents: the earliest opening, and the latest resolution. */
import { and, eq, isNull } from 'drizzle-orm'
import { invalidField } from '../../runtime/errors.js'
import type { Tx } from '../../runtime/store/db.js'
import { AHEAD_MS, clean } from '../ingest/event.js'
import { cut } from '../payload.js'
import { reportingTables } from '../tables.js'
import { takeTurns } from '../turns.js'

export interface SentIncident {
  readonly incidentId: string
  /** Empty when the sender names none. */
  readonly environment: string
  readonly openedAt: string
  /** Null reopens the incident; undefined leaves it unchanged. */
  readonly resolvedAt?: string | null | undefined
  /** When it was opened again: deliveries come late, and only an end after it counts. */
  readonly reopenedAt?: string | undefined
  readonly severity?: string | undefined
  readonly title?: string | undefined
  readonly url?: string | undefined
  readonly pipelineId?: string | undefined
  readonly commitSha?: string | undefined
}

/** The problem with an incident's times; null if there is none. */
export function faultOf(
  { openedAt, resolvedAt }: SentIncident,
  nowMs: number,
): { field: string; message: string; code: string } | null {
  if (Date.parse(openedAt) > nowMs + AHEAD_MS)
    return { field: 'openedAt', message: 'is in the future: correct the clock of the sender', code: 'future' }
  if (resolvedAt == null) return null
  if (Date.parse(resolvedAt) > nowMs + AHEAD_MS)
    return { field: 'resolvedAt', message: 'is in the future: correct the clock of the sender', code: 'future' }
  // guard: an-incident-is-resolved-after-it-opened
  if (Date.parse(resolvedAt) < Date.parse(openedAt))
    return { field: 'resolvedAt', message: 'is before `openedAt`', code: 'date_order' }
  return null
}

/** An incident whose report is gone: nothing more will be sent about it. */
export interface EndedIncident {
  readonly incidentId: string
  readonly endedAt: string
}

/** Ends an incident that is open. @returns whether there was one. */
export async function endIncident(
  tx: Tx,
  orgId: string,
  { incidentId, endedAt }: EndedIncident,
  nowMs: number,
): Promise<boolean> {
  await takeTurns(tx, [`incidents ${orgId}`])
  const { reportIncidents: t } = reportingTables(tx)
  // guard: an-end-of-before-stays
  const where = and(eq(t.orgId, orgId), eq(t.incidentId, incidentId), isNull(t.resolvedMs))
  const [open] = await tx.select({ openedMs: t.openedMs, reopenedMs: t.reopenedMs }).from(t).where(where)
  if (open === undefined || isBefore(endedAt, open.reopenedMs)) return false
  const resolvedMs = Math.max(open.openedMs, Math.min(Date.parse(endedAt), nowMs))
  await tx.update(t).set({ resolvedMs, updatedMs: nowMs }).where(where)
  return true
}

export interface StoredIncident {
  readonly created: boolean
  /** Empty where no report named it. */
  readonly environment: string
  /** As of every report so far, which this one may not have changed. */
  readonly openedMs: number
  readonly resolvedMs: number | null
}

/** @throws Refusal 400 for invalid times. */
export async function storeIncident(
  tx: Tx,
  orgId: string,
  sent: SentIncident,
  nowMs: number,
  at = '/body',
): Promise<StoredIncident> {
  const fault = faultOf(sent, nowMs)
  if (fault !== null) throw invalidField(`${at}/${fault.field}`, fault.message, fault.code)
  // guard: one-incident-is-told-by-one-at-a-time
  await takeTurns(tx, [`incidents ${orgId}`])
  const { reportIncidents: t } = reportingTables(tx)
  const where = and(eq(t.orgId, orgId), eq(t.incidentId, sent.incidentId))
  const [before] = await tx.select().from(t).where(where)
  const openedMs = Math.min(Date.parse(sent.openedAt), before?.openedMs ?? Number.POSITIVE_INFINITY)
  const { resolvedMs, reopenedMs } = endOf(sent, before)
  const row = {
    orgId,
    incidentId: sent.incidentId,
    // Many monitors name the environment only when an incident opens.
    // guard: an-incident-keeps-its-environment
    environment: clean(sent.environment) || before?.environment || '',
    openedMs,
    resolvedMs: resolvedMs === null ? null : Math.max(resolvedMs, openedMs),
    reopenedMs,
    severity: sent.severity ?? before?.severity ?? 'unknown',
    title: sent.title === undefined ? (before?.title ?? null) : cut(clean(sent.title), 500),
    url: sent.url ?? before?.url ?? null,
    pipelineId: sent.pipelineId ?? before?.pipelineId ?? null,
    sha: sent.commitSha?.toLowerCase() ?? before?.sha ?? null,
    updatedMs: nowMs,
  }
  await tx
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.orgId, t.incidentId], set: row })
  return { created: before === undefined, ...row }
}

type End = Pick<ReturnType<typeof reportingTables>['reportIncidents']['$inferSelect'], 'resolvedMs' | 'reopenedMs'>

/** Its end after the report, whatever order reports come in. */
function endOf({ resolvedAt, reopenedAt }: SentIncident, before: End | undefined): End {
  const { resolvedMs, reopenedMs } = before ?? { resolvedMs: null, reopenedMs: null }
  // guard: a-late-opening-erases-no-resolution
  if (resolvedAt === undefined) return { resolvedMs, reopenedMs }
  if (resolvedAt === null) {
    // A person who opens it again need not say when.
    if (reopenedAt === undefined) return { resolvedMs: null, reopenedMs }
    // guard: a-late-reopening-erases-no-later-resolution
    const isLate = resolvedMs !== null && Date.parse(reopenedAt) < resolvedMs
    return { resolvedMs: isLate ? resolvedMs : null, reopenedMs: Math.max(Date.parse(reopenedAt), reopenedMs ?? 0) }
  }
  // guard: an-end-before-a-reopening-ends-nothing
  if (isBefore(resolvedAt, reopenedMs)) return { resolvedMs, reopenedMs }
  // guard: an-older-end-moves-no-incident-back
  return { resolvedMs: Math.max(Date.parse(resolvedAt), resolvedMs ?? 0), reopenedMs }
}

const isBefore = (at: string, reopenedMs: number | null): boolean => reopenedMs !== null && Date.parse(at) < reopenedMs
