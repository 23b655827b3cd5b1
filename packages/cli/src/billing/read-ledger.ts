/** An exported credit ledger: a first line that says how many rows follow, then the rows. */
import type { HashedLedgerRow } from '@plumbline/audit-chain'
import type { LedgerRow } from '@plumbline/billing-core'
import { keptLines } from '../audit/input.js'
import { type Io, NotDoneError, UsageError } from '../command.js'
import { isRecord } from './input.js'

export interface ExportedLedger {
  readonly orgId: string
  readonly rows: readonly (HashedLedgerRow & LedgerRow)[]
}

/** @throws UsageError for a file that is not such an export. @throws NotDoneError for an export that ended early. */
export async function readLedger(path: string, io: Io): Promise<ExportedLedger> {
  const rows: (HashedLedgerRow & LedgerRow)[] = []
  let head: { readonly orgId: string; readonly rows: number } | null = null
  let number = 0
  for await (const { texts, isTooLong } of keptLines(path, io)) {
    if (isTooLong) throw notALedger(path, number + 1)
    for (const text of texts) {
      number++
      if (text.trim() === '') continue
      const value = rowOf(text, path, number)
      if (head === null) head = headOf(value, path)
      else if (typeof value['id'] === 'string' && typeof value['hash'] === 'string') {
        rows.push(value as unknown as HashedLedgerRow & LedgerRow)
      } else throw notALedger(path, number)
    }
  }
  if (head === null) throw notALedger(path, 1)
  if (rows.length < head.rows) {
    throw new NotDoneError(
      `\`${path}\` has ${rows.length} of the ${head.rows} rows that its first line promises: it ended early, or rows were taken out`,
      'export it again',
    )
  }
  return { orgId: head.orgId, rows }
}

function headOf(value: Readonly<Record<string, unknown>>, path: string) {
  const { plumblineLedger, orgId, rows } = value
  if (plumblineLedger !== 1 || typeof orgId !== 'string' || typeof rows !== 'number') throw notALedger(path, 1)
  return { orgId, rows }
}

function rowOf(text: string, path: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // The error below reports it.
  }
  throw notALedger(path, number)
}

const notALedger = (path: string, number: number) =>
  new UsageError(
    `\`${path}\` line ${number} is not of an exported ledger`,
    'make one with `plumbline billing ledger export --output FILE`',
  )
