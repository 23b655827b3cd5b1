/** `plumbline audit inspect`: shows what a log contains. It does not check the log: `verify` does. */
import { type AuditRecord, BundleVerifier, parseCheckpoint, readManifest } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, type Invocation, type Io } from '../command.js'
import { argument, seqRange, text } from '../program/invocation.js'
import { printData } from '../program/print-data.js'
import { write } from '../program/write.js'
import { openLines } from './input.js'
import { amount, printable } from './report-text.js'
import { exitCodeOf } from './verify.js'

interface Tally {
  readonly actions: Map<string, number>
  readonly actors: Set<string>
  readonly shown: AuditRecord[]
}

/** Up to this number the actors are counted exactly. */
const ACTORS_MAX = 100_000

export const run: CommandRun = async (invocation, io) => {
  const wanted = text(invocation, 'seq')
  const range = wanted === undefined ? null : seqRange(wanted)
  const verifier = new BundleVerifier(nodeCrypto, {})
  const tally: Tally = { actions: new Map(), actors: new Set(), shown: [] }
  for await (const { texts, isCut, isTooLong } of openLines(argument(invocation, 0), io).lines) {
    for (const line of texts) if (verifier.pushLine(line, isCut)) look(line, range, tally)
    if (isTooLong) verifier.pushLine('{')
    if (verifier.isForeign) break
  }
  const report = verifier.finish()
  if (report.cannotTell === 'not_a_log') {
    await write(io.stderr, 'this is not an audit log: the first line is neither a manifest nor a row\n')
    return exitCodeOf(report, false)
  }
  if (range !== null) return await show(tally.shown, invocation, io)
  const overview = {
    chain: report.chain,
    origin: report.manifest?.origin ?? null,
    complete: report.manifest?.complete ?? null,
    events: report.count,
    firstSeq: report.firstSeq,
    lastSeq: report.lastSeq,
    firstCreatedAt: report.firstCreatedAt,
    lastCreatedAt: report.lastCreatedAt,
    actors: tally.actors.size,
    actions: Object.fromEntries([...tally.actions].sort((a, b) => b[1] - a[1])),
    checkpoints: (report.manifest?.checkpoints ?? []).map((note) => {
      const checkpoint = parseCheckpoint(note)
      return {
        size: checkpoint?.size ?? null,
        signatures: checkpoint?.note.signatures.map(({ name, id }) => `${name}+${id}`) ?? [],
      }
    }),
    keys: report.manifest?.keys ?? [],
    prunedThrough: report.anchor?.throughSeq ?? null,
    erased: report.erased,
    withheld: report.withheld,
    broken: report.reason ?? null,
  }
  await printData(invocation, io, overview, () => overviewText(overview))
  if (report.reason !== undefined)
    await write(io.stderr, `the log is broken (${report.reason}): run \`plumbline audit verify\`\n`)
  return ExitCode.clean
}

function look(line: string, range: readonly [number, number] | null, tally: Tally): void {
  if (line.trim() === '') return
  const row = JSON.parse(line) as AuditRecord
  if (readManifest(row) !== null) return
  tally.actions.set(row.action, (tally.actions.get(row.action) ?? 0) + 1)
  if (tally.actors.size < ACTORS_MAX) tally.actors.add(row.actorId)
  if (range !== null && row.seq >= range[0] && row.seq <= range[1]) tally.shown.push(row)
}

async function show(rows: readonly AuditRecord[], invocation: Invocation, io: Io): Promise<number> {
  if (rows.length === 0) {
    await write(io.stderr, 'no such event in this file\n')
    return ExitCode.notEvaluated
  }
  const events = rows.map((row) => ({ ...row, details: detailsOf(row) }))
  const data = events.length === 1 ? events[0] : events
  await printData(invocation, io, data, () => events.map(eventText).join(''))
  return ExitCode.clean
}

function eventText(event: object): string {
  const { seq, ...fields } = event as Record<string, unknown>
  const lines = Object.entries(fields).flatMap(([field, value]) =>
    value === null
      ? []
      : [`  ${field.padEnd(16)} ${printable(typeof value === 'string' ? value : JSON.stringify(value))}`],
  )
  return [`event ${String(seq)}`, ...lines].map((line) => `${line}\n`).join('')
}

/** The details as a value, or as text if they are not JSON: a log may have sealed such text too. */
function detailsOf({ details }: AuditRecord): unknown {
  try {
    return details === null ? null : JSON.parse(details)
  } catch {
    return details
  }
}

function overviewText(overview: {
  chain: string | null
  origin: string | null
  complete: boolean | null
  events: number
  firstSeq: number | null
  lastSeq: number | null
  firstCreatedAt: string | null
  lastCreatedAt: string | null
  actors: number
  actions: Record<string, number>
  checkpoints: readonly { size: number | null; signatures: readonly string[] }[]
  keys: readonly string[]
  prunedThrough: number | null
  erased: number
  withheld: number
}): string {
  const part = overview.complete === false ? ' (a part of the log)' : ''
  const lines = [
    `chain        ${printable(overview.chain ?? '?')}${overview.origin === null ? '' : ` of ${printable(overview.origin)}`}${part}`,
    `events       ${overview.events}, ${overview.firstSeq ?? '-'} to ${overview.lastSeq ?? '-'}`,
    `created      ${overview.firstCreatedAt ?? '-'} to ${overview.lastCreatedAt ?? '-'}`,
    `actors       ${overview.actors}`,
  ]
  for (const [action, count] of Object.entries(overview.actions))
    lines.push(`action       ${printable(action)} × ${count}`)
  for (const { size, signatures } of overview.checkpoints) {
    lines.push(`checkpoint   size ${size ?? '?'}, signatures ${signatures.map(printable).join(', ')}`)
  }
  for (const key of overview.keys) lines.push(`key          ${printable(key)}`)
  if (overview.prunedThrough !== null) lines.push(`pruned       events 1 to ${overview.prunedThrough}`)
  if (overview.erased > 0) lines.push(`erased       data of ${amount(overview.erased, 'event')}`)
  if (overview.withheld > 0) lines.push(`withheld     identity of the actor of ${amount(overview.withheld, 'event')}`)
  return `${lines.join('\n')}\n`
}
