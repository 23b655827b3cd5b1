/** `plumbline billing ledger verify`: an exported ledger against the seals of an audit export, without a server. */
import {
  type AuditRecord,
  BundleVerifier,
  type LedgerReport,
  type LedgerSeal,
  ledgerSealOf,
  verifyLedger,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { checkLedger, type LedgerFinding } from '@plumbline/billing-core'
import { readVerifierKeys } from '../audit/keys.js'
import { isCovered, pushAll } from '../audit/verify.js'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { flag, text, texts } from '../program/invocation.js'
import { printData } from '../program/print-data.js'
import { count } from '../report/reporter.js'
import { argument } from './input.js'
import { type ExportedLedger, readLedger } from './read-ledger.js'

interface Verified extends Omit<LedgerReport, 'findings'> {
  readonly orgId: string
  /** The verdict on the audit export. Its seals can be trusted only as far as the export itself. */
  readonly chain: { readonly verdict: string; readonly reason: string | null }
  readonly findings: readonly {
    readonly reason: string
    readonly rowId: string | null
    readonly seq: number | null
    readonly subscriptionId: string | null
    readonly message: string
  }[]
}

export const run: CommandRun = async (invocation, io) => {
  const path = argument(invocation, 'file')
  const audit = text(invocation, 'audit')
  if (audit === undefined) {
    throw new UsageError('--audit is missing', 'make the export with `plumbline audit export --output audit.jsonl`')
  }
  if (path === '-' && audit === '-') throw new UsageError('only one of the two files can be stdin')
  const ledger = await readLedger(path, io)
  const verifier = new BundleVerifier(nodeCrypto, {
    chain: ledger.orgId,
    checkpoints: [],
    keys: await readVerifierKeys(texts(invocation, 'key'), io),
    trustOfferedKeys: flag(invocation, 'trustFileKeys'),
  })
  const found: LedgerSeal[] = []
  await pushAll(verifier, audit, io, flag(invocation, 'quiet'), (line) => {
    const seal = sealIn(line)
    if (seal !== null) found.push(seal)
  })
  const chain = verifier.finish()
  const seals = found.filter(({ eventSeq }) => isCovered(chain, eventSeq))
  const report = verifyLedger(nodeCrypto, { rows: ledger.rows, seals, orgId: ledger.orgId })
  const verified = verdictOf(ledger, report, chain.verdict, chain.reason ?? chain.cannotTell ?? null)
  await printData(invocation, io, verified, () => describe(verified))
  return verified.verdict === 'valid'
    ? ExitCode.clean
    : verified.verdict === 'invalid'
      ? ExitCode.findings
      : ExitCode.notEvaluated
}

function sealIn(line: string): LedgerSeal | null {
  if (!line.includes('billing.ledger.seal')) return null
  try {
    return ledgerSealOf(JSON.parse(line) as AuditRecord)
  } catch {
    // The verifier reports lines that are not events.
    return null
  }
}

/** Seals of a broken log prove nothing, so the verdict then is not `valid`. The rows are also replayed. */
function verdictOf(ledger: ExportedLedger, report: LedgerReport, chain: string, reason: string | null): Verified {
  const replayed: readonly LedgerFinding[] = checkLedger(ledger.rows)
  const findings = [
    ...report.findings.map(({ reason: code, rowId, seq, subscriptionId, message }) => ({
      ...{ reason: code, rowId, seq, subscriptionId, message },
    })),
    ...replayed.map(({ code, rowId, seq, subscriptionId, message }) => ({
      ...{ reason: code, rowId, seq, subscriptionId, message },
    })),
  ]
  const isBroken = findings.length > 0 || chain === 'invalid'
  const verdict = isBroken ? 'invalid' : chain === 'valid' ? report.verdict : 'cannot-tell'
  return { ...report, verdict, findings, orgId: ledger.orgId, chain: { verdict: chain, reason } }
}

function describe({ verdict, rows, seals, unsealed, findings, chain }: Verified): string {
  const lines = [
    `${verdict === 'valid' ? 'valid' : verdict === 'invalid' ? 'INVALID' : 'nothing can be said'}: ${count(rows, 'row')}, ${count(seals, 'seal')}`,
    ...(chain.verdict === 'valid' ? [] : [`the audit export is ${chain.verdict} (${chain.reason ?? 'no reason'})`]),
    ...(unsealed === 0 ? [] : [`${count(unsealed, 'row')} that no seal covers: export the audit log after the ledger`]),
    ...findings.map(({ reason, rowId, seq, message }) => `  ${reason} ${rowId ?? '-'} (row ${seq ?? '-'}): ${message}`),
  ]
  return `${lines.join('\n')}\n`
}
