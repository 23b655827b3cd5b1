/** Stores reported incidents: the earliest opening, and the latest resolution. */
import { and, eq } from 'drizzle-orm'
import { invalidField } from '../../runtime/errors.js'
import type { Tx } from '../../runtime/store/db.js'
import { AHEAD_MS, clean } from '../ingest/event.js'
import { reportingTables } from '../tables.js'
import { takeTurns } from '../turns.js'

export interface SentIncident {
  readonly incidentId: string
  /** Empty when the sender names none. */
  readonly environment: string
  readonly openedAt: string
  /** Null reopens the incident; undefined leaves it unchanged. */
  readonly resolvedAt?: string | null | undefined
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
  if (Date.parse(openedAt) > nowMs + AHEAD_MS) return { field: 'openedAt', message: 'is in the future', code: 'future' }
  if (resolvedAt == null) return null
  if (Date.parse(resolvedAt) > nowMs + AHEAD_MS)
    return { field: 'resolvedAt', message: 'is in the future', code: 'future' }
  // guard: an-incident-is-resolved-after-it-opened
  if (Date.parse(resolvedAt) < Date.parse(openedAt))
    return { field: 'resolvedAt', message: 'is before `openedAt`', code: 'date_order' }
  return null
}

/** @returns whether the incident is new, and its environment, which is empty where no report named it. @throws Refusal 400 for invalid times. */
export async function storeIncident(
  tx: Tx,
  orgId: string,
  sent: SentIncident,
  nowMs: number,
  at = '/body',
): Promise<{ readonly created: boolean; readonly environment: string }> {
  const fault = faultOf(sent, nowMs)
  if (fault !== null) throw invalidField(`${at}/${fault.field}`, fault.message, fault.code)
  // guard: one-incident-is-told-by-one-at-a-time
  await takeTurns(tx, [`incidents ${orgId}`])
  const { reportIncidents: t } = reportingTables(tx)
  const where = and(eq(t.orgId, orgId), eq(t.incidentId, sent.incidentId))
  const [before] = await tx.select().from(t).where(where)
  const openedMs = Math.min(Date.parse(sent.openedAt), before?.openedMs ?? Number.POSITIVE_INFINITY)
  // guard: a-late-opening-erases-no-resolution
  const resolvedMs =
    sent.resolvedAt === undefined
      ? (before?.resolvedMs ?? null)
      : sent.resolvedAt === null
        ? null
        : Date.parse(sent.resolvedAt)
  const row = {
    orgId,
    incidentId: sent.incidentId,
    // Many monitors name the environment only when an incident opens.
    // guard: an-incident-keeps-its-environment
    environment: sent.environment || before?.environment || '',
    openedMs,
    resolvedMs: resolvedMs === null ? null : Math.max(resolvedMs, openedMs),
    severity: sent.severity ?? before?.severity ?? 'unknown',
    title: sent.title === undefined ? (before?.title ?? null) : clean(sent.title).slice(0, 500),
    url: sent.url ?? before?.url ?? null,
    pipelineId: sent.pipelineId ?? before?.pipelineId ?? null,
    sha: sent.commitSha?.toLowerCase() ?? before?.sha ?? null,
    updatedMs: nowMs,
  }
  await tx
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.orgId, t.incidentId], set: row })
  return { created: before === undefined, environment: row.environment }
}
