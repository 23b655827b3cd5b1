/** `plumbline billing ledger check`: replays exported rows from zero, and prints the findings or the balances. */

import {
  balanceOf,
  type Cents,
  checkLedger,
  formatCents,
  type LedgerFinding,
  type LedgerRow,
  openLedger,
} from '@plumbline/billing-core'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { formOf, printData } from '../program/print-data.js'
import { write } from '../program/write.js'
import { count } from '../report/reporter.js'
import { argument, isRecord, readInput } from './input.js'
import { renderTable } from './table.js'

interface CheckedAccount {
  readonly orgId: string
  readonly rows: number
  readonly findings: readonly LedgerFinding[]
  readonly balances: readonly { readonly subscriptionId: string; readonly balanceCents: Cents }[]
}

export const run: CommandRun = async (invocation, io) => {
  const path = argument(invocation, 'file')
  const accounts = groupByAccount(readRows(await readInput(path, io), path)).map(checkAccount)
  const findings = accounts.reduce((sum, account) => sum + account.findings.length, 0)
  const text = () => `${accounts.length === 0 ? 'no rows' : accounts.map(describe).join('\n\n')}\n`
  await printData(invocation, io, { ok: findings === 0, accounts }, text)
  if (formOf(invocation) === 'table') {
    const rows = accounts.reduce((sum, account) => sum + account.rows, 0)
    await write(
      io.stderr,
      `${count(rows, 'row')} of ${count(accounts.length, 'account')}, ${count(findings, 'finding')}\n`,
    )
  }
  return findings === 0 ? ExitCode.clean : ExitCode.findings
}

/** A JSON array, or one row per line. */
function readRows(content: string, path: string): readonly LedgerRow[] {
  if (content.trim() === '') throw new UsageError(`\`${path}\` is empty`, 'an account without rows is `[]`')
  const whole = content.trimStart().startsWith('[') ? parse(content, path) : null
  const values = Array.isArray(whole)
    ? whole.map((value, index) => ({ value: value as unknown, where: `[${index}]` }))
    : content
        .split('\n')
        .map((line, index) => ({ line, where: `line ${index + 1}` }))
        .filter(({ line }) => line.trim() !== '')
        .map(({ line, where }) => ({ value: parse(line, path, where), where }))
  // The first line of an export says how many rows follow. It is not a row.
  const rows = values.filter(({ value }) => !(isRecord(value) && value['plumblineLedger'] === 1))
  return rows.map(({ value, where }) => {
    if (!isRecord(value)) throw new UsageError(`\`${path}\` ${where} is not a ledger row`)
    return value as unknown as LedgerRow
  })
}

function parse(text: string, path: string, where = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(
      `\`${path}\`${where === '' ? '' : ` ${where}`} is not JSON`,
      'give rows as a JSON array or as JSON Lines',
    )
  }
}

function groupByAccount(rows: readonly LedgerRow[]): readonly LedgerRow[][] {
  const groups = new Map<string, LedgerRow[]>()
  for (const row of rows) {
    const group = groups.get(row.orgId)
    if (group === undefined) groups.set(row.orgId, [row])
    else group.push(row)
  }
  return [...groups.values()]
}

function checkAccount(rows: readonly LedgerRow[]): CheckedAccount {
  const findings = checkLedger(rows)
  const opened = findings.length === 0 ? openLedger(rows) : null
  const subscriptions = [...new Set(rows.map((row) => row.subscriptionId))]
  return {
    orgId: String(rows[0]?.orgId),
    rows: rows.length,
    findings,
    balances: opened?.ok
      ? subscriptions.map((id) => ({ subscriptionId: id, balanceCents: balanceOf(opened.state, id) }))
      : [],
  }
}

function describe({ orgId, rows, findings, balances }: CheckedAccount): string {
  if (findings.length === 0) {
    const table = renderTable(
      [{ title: 'subscription' }, { title: 'balance', align: 'right' }],
      balances.map((each) => [each.subscriptionId, formatCents(each.balanceCents)]),
    )
    return `account ${orgId}: ${count(rows, 'row')}, sound\n${table}`
  }
  const table = renderTable(
    [
      { title: 'finding' },
      { title: 'subscription' },
      { title: 'seq', align: 'right' },
      { title: 'row' },
      { title: 'what' },
    ],
    findings.map(({ code, subscriptionId, seq, rowId, message }) => [
      code,
      String(subscriptionId ?? ''),
      String(seq ?? ''),
      String(rowId ?? ''),
      message,
    ]),
  )
  return `account ${orgId}: ${count(rows, 'row')}, ${count(findings.length, 'finding')}\n${table}`
}
