/** Verifies a check log against its chain: finds the rows that differ from what the server sealed (ADR 35). */
import {
  type AuditRecord,
  CHECK_PRUNE_ACTION,
  CHECK_SEAL_ACTION,
  type CheckLogClaims,
  type CheckLogReason,
  type CheckLogReport,
  type CheckLogRow,
  verifyCheckLog,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import pc from 'picocolors'
import { UsageError } from '../command.js'
import type { Lines } from './input.js'
import { amount, printable } from './report-text.js'

/**
 * The audit event that a line holds, if it is about the check log; otherwise null. The verifier reports lines that are
 * not events.
 */
export function readClaim(line: string): AuditRecord | null {
  if (!line.includes(CHECK_SEAL_ACTION) && !line.includes(CHECK_PRUNE_ACTION)) return null
  try {
    return JSON.parse(line) as AuditRecord
  } catch {
    return null
  }
}

interface Beside {
  readonly claims: CheckLogClaims
  readonly chain: string | null
  readonly isChainPruned: boolean
}

/** @throws UsageError for a file that is not a check log, or that belongs to another organization. */
export async function verifyCheckLogFile(
  lines: AsyncIterable<Lines>,
  { claims, chain, isChainPruned }: Beside,
): Promise<CheckLogReport> {
  const rows: CheckLogRow[] = []
  const manifests: string[][] = []
  let number = 0
  for await (const { texts, isTooLong } of lines) {
    if (isTooLong) throw notACheckLog(number + 1)
    for (const text of texts) {
      number++
      if (text.trim() === '') continue
      const entry = parseLine(text, number)
      if (number === 1) {
        if (entry.plumblineCheckLog !== 1) throw notACheckLog(1)
        if (chain !== null && entry.orgId !== chain) {
          throw new UsageError(
            `the check log is of organization ${printable(String(entry.orgId))}, the chain of ${printable(chain)}`,
          )
        }
      } else if (isRow(entry.check)) rows.push(entry.check)
      else if (typeof entry.seal?.manifest === 'string') manifests.push(entry.seal.manifest.split('\n').slice(0, -1))
      else throw notACheckLog(number)
    }
  }
  if (number === 0) throw notACheckLog(1)
  return verifyCheckLog(nodeCrypto, { claims, rows, manifests, isChainPruned })
}

interface Entry {
  readonly plumblineCheckLog?: unknown
  readonly orgId?: unknown
  readonly check?: unknown
  readonly seal?: { readonly manifest?: unknown }
}

function parseLine(text: string, number: number): Entry {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // The error below reports it.
  }
  throw notACheckLog(number)
}

const isRow = (value: unknown): value is CheckLogRow =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' && 'createdAt' in value

const notACheckLog = (line: number): UsageError =>
  new UsageError(
    `line ${line} is not a line of a check log`,
    'fetch `/api/compliance/audit/export` again, or give --server and no file',
  )

const WHAT: Readonly<Record<CheckLogReason, string>> = {
  row_altered: 'is not what was sealed',
  row_missing: 'was sealed and is missing',
  row_inserted: 'was never sealed: somebody added it later',
  manifest_altered: 'the rows of this hour and their list both differ from what was sealed',
}

export function checkLogText(report: CheckLogReport, colour: boolean): string {
  const colours = pc.createColors(colour)
  const title = {
    valid: colours.green(colours.bold('VALID')),
    invalid: colours.red(colours.bold('INVALID')),
    'cannot-tell': colours.yellow(colours.bold('CANNOT TELL')),
  }[report.verdict]
  const count = (value: number): string => value.toLocaleString('en-US')
  const lines = [
    '',
    `${title}  check log${report.verdict === 'cannot-tell' ? ': the chain has no seal of it yet (one comes each hour)' : ''}`,
    `  ${'checked'.padEnd(12)} ${amount(report.rows, 'row')}, ${amount(report.seals, 'seal')}`,
  ]
  const facts: [string, number, string][] = [
    ['unsealed', report.unsealed, 'rows of the last hours, which no seal covers yet'],
    ['pruned', report.pruned, 'rows gone by retention, as the chain says'],
    ['erased', report.erased, 'rows whose person was erased'],
    ['older', report.unattested, 'rows older than the part of the chain that was kept'],
    [
      'overdue',
      report.overdue,
      'rows sealed hours after they were written: sealing had stopped, or the rows were added later',
    ],
  ]
  for (const [label, value, text] of facts) {
    if (value > 0) lines.push(`  ${label.padEnd(12)} ${count(value)} ${text}`)
  }
  for (const { reason, id, createdAt, seq } of report.findings) {
    const row = id === null ? 'hour' : `row ${printable(id)}`
    const seal = seq === null ? '' : `, sealed by event ${count(seq)}`
    lines.push(`  ${printable(createdAt)} ${row} ${WHAT[reason]} (${reason}${seal})`)
  }
  if (report.findingsTotal > report.findings.length) {
    lines.push(`  and ${count(report.findingsTotal - report.findings.length)} more`)
  }
  return `${lines.join('\n')}\n`
}
