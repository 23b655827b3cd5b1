/**
 * Erases one half of a record's personal data and keeps its commitment, and builds the event that explains the erasure
 * (spec billing-audit 20). When no event of the chain names an erasure, verification fails.
 */
import { SCRUB_LIMITS } from '../scrub/scrub.js'
import type { AuditRecord } from './record.js'

export type ErasablePart = 'identity' | 'details'

export const ERASE_ACTION = 'audit.event.erase'

/** Sequence numbers of the first and the last record. */
export type SeqRange = readonly [from: number, to: number]

/** Returns the record with one half erased. Store it and the erasure event in one transaction. */
export function eraseRecord(record: AuditRecord, part: ErasablePart): AuditRecord {
  return part === 'identity'
    ? { ...record, actorEmail: null, ip: null, userAgent: null, identitySalt: null }
    : { ...record, details: null, detailsSalt: null }
}

/** The most ranges in the details of one event. Scrubbing keeps as many items of a list. */
const RANGES_MAX = SCRUB_LIMITS.items

export interface ErasureDetails {
  readonly part: ErasablePart
  readonly seqs: readonly SeqRange[]
}

/**
 * Returns the details of the events that explain the erasure of these records, usually of one event. The ranges are
 * ascending and merged.
 */
export function erasureDetails(part: ErasablePart, seqs: Iterable<number>): ErasureDetails[] {
  const ranges: [number, number][] = []
  for (const seq of [...seqs].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && seq <= last[1] + 1) last[1] = Math.max(last[1], seq)
    else ranges.push([seq, seq])
  }
  const events: ErasureDetails[] = []
  for (let start = 0; start < ranges.length; start += RANGES_MAX) {
    events.push({ part, seqs: ranges.slice(start, start + RANGES_MAX) })
  }
  return events
}

/** Returns what an erasure event names, or null when its details do not have that form. */
export function parseErasure(detailsText: string): ErasureDetails | null {
  let details: unknown
  try {
    details = JSON.parse(detailsText)
  } catch {
    return null
  }
  if (typeof details !== 'object' || details === null) return null
  const { part, seqs } = details as { part?: unknown; seqs?: unknown }
  if ((part !== 'identity' && part !== 'details') || !Array.isArray(seqs)) return null
  const isRange = (range: unknown): range is SeqRange =>
    Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger) && range[0] <= range[1]
  return seqs.every(isRange) ? { part, seqs } : null
}
