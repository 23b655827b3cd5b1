/**
 * A verification report for people: the verdict first, then what was checked, then what could still be hidden.
 * INVARIANT: nothing that the file says is printed unescaped, so that a log cannot write to the terminal.
 */
import type { BundleReport, CannotTellReason, InvalidReason } from '@plumbline/audit-chain'
import pc from 'picocolors'

const INVALID: Readonly<Record<InvalidReason, string>> = {
  anchor_mismatch:
    'the first row does not continue the anchor or the start of the chain: a prefix is missing or changed',
  chain_mismatch: 'a row belongs to another chain: the file mixes logs, or another log was put in its place',
  sequence_gap: 'sequence numbers do not follow each other: a row was deleted, inserted or moved',
  link_mismatch: 'a row does not link to the row before it: one of them was replaced',
  hash_mismatch: 'a row is not what was sealed: a field of it was changed',
  malformed_row: 'a row is not a record: a field is missing, added or of a wrong type',
  backdated: 'a row was created before the row in front of it',
  unexplained_erasure: 'data of a row is gone and no event of the chain says why',
  truncated: 'rows that are known to exist are missing at the end',
  head_mismatch: 'the last row is not the one that the head names',
  checkpoint_mismatch: 'the log is not the one that the checkpoint was signed for: it was rewritten, or forked',
}

const CANNOT_TELL: Readonly<Record<CannotTellReason, readonly [what: string, fix: string]>> = {
  nothing_to_check: [
    'there are no rows, and no head or checkpoint to compare with',
    'check that you exported the right chain',
  ],
  not_a_log: [
    'this is not an audit log: the first line is neither a manifest nor a row',
    'if the file is compressed, unpack it; if it was cut at the very start, fetch it again',
  ],
  missing_checkpoint: ['a checkpoint that should be there cannot be read', 'fetch the checkpoint again'],
  unknown_key: [
    'no key that you gave signed the checkpoint: the person who made this file could have signed it too',
    'give the operator’s verifier key with --key',
  ],
  checkpoint_out_of_range: [
    'a checkpoint is about a part of the log that is not in this file',
    'export a range that reaches it, or the whole log',
  ],
  erasure_outside_range: [
    'data of a row is erased, and the event that explains it may come after this range',
    'export the log to its end',
  ],
  no_checkpoint: [
    'the rows are consistent; a truncated tail or a recomputed log would look the same',
    'give a checkpoint with --checkpoint and the operator’s key with --key',
  ],
}

/**
 * What `--chain-only` accepts: a log without a checkpoint. A checkpoint that is present and cannot be checked is not
 * accepted.
 */
export const CHAIN_ONLY: ReadonlySet<string> = new Set<CannotTellReason>(['no_checkpoint'])

export function reportText(report: BundleReport, options: { colour: boolean; chainOnly: boolean }): string {
  const colours = pc.createColors(options.colour)
  const title = {
    valid: colours.green(colours.bold('VALID')),
    invalid: colours.red(colours.bold('INVALID')),
    'cannot-tell': colours.yellow(colours.bold('CANNOT TELL')),
  }[report.verdict]
  const lines: string[] = []
  if (report.reason !== undefined) {
    const place = report.brokenSeq == null ? '' : `event ${count(report.brokenSeq)}: `
    lines.push(`${title}  ${place}${INVALID[report.reason]} (${report.reason})`)
  } else if (report.cannotTell !== undefined) {
    lines.push(`${title}  ${CANNOT_TELL[report.cannotTell][0]} (${report.cannotTell})`)
  } else {
    lines.push(`${title}  ${report.chain === null ? '' : `chain ${printable(report.chain)}`}`)
  }
  for (const [label, value] of facts(report)) lines.push(`  ${label.padEnd(12)} ${value}`)
  if (report.cannotTell !== undefined && !(options.chainOnly && CHAIN_ONLY.has(report.cannotTell))) {
    lines.push(`  ${'to do'.padEnd(12)} ${CANNOT_TELL[report.cannotTell][1]}`)
  }
  if (report.doubts.length > 0) {
    lines.push('', colours.bold('what could still be hidden'), ...report.doubts.map(({ text }) => `  - ${text}`))
  }
  return `${lines.join('\n')}\n`
}

function facts(report: BundleReport): [string, string][] {
  const facts: [string, string][] = []
  if (report.evidence !== undefined) {
    const { what, expected, actual } = report.evidence
    facts.push(['evidence', `${what}: expected ${show(expected)}`], ['', `found ${show(actual)}`])
  }
  if (report.brokenAt != null) facts.push(['row', printable(report.brokenAt)])
  if (report.firstSeq === null || report.lastSeq === null) return facts
  facts.push([
    'checked',
    `${amount(report.lastSeq - report.firstSeq + 1, 'event')}, ${count(report.firstSeq)} to ${count(report.lastSeq)}`,
  ])
  if (report.count > report.lastSeq - report.firstSeq + 1) facts.push(['in the file', amount(report.count, 'row')])
  facts.push(['created', `${report.firstCreatedAt} to ${report.lastCreatedAt}`])
  for (const { size, verified, signedBy, witnesses, source } of report.checkpoints) {
    const by = signedBy.length > 0 ? `signed by ${signedBy.map(printable).join(', ')}` : 'signed by no known key'
    const seen = witnesses.map(({ name, at }) => `, witnessed by ${printable(name)} at ${at}`).join('')
    const from = source === 'given' ? 'yours' : source === 'proof' ? 'by proof' : 'in the file'
    facts.push([
      'checkpoint',
      `size ${size === null ? '?' : count(size)} (${from}), ${by}${seen}${verified ? '' : ', not verified'}`,
    ])
  }
  if (report.verdict === 'valid' && report.coveredThrough < report.lastSeq) {
    facts.push(['covered', `through event ${count(report.coveredThrough)}; the rest is chained only`])
  }
  if (report.erased > 0)
    facts.push(['erased', `data of ${amount(report.erased, 'event')}, each erasure explained by the chain`])
  if (report.withheld > 0)
    facts.push(['withheld', `identity of the actor of ${amount(report.withheld, 'event')}, all of them foreign`])
  if (report.anchor !== null) facts.push(['pruned', `events 1 to ${count(report.anchor.throughSeq)}`])
  if (report.backdated !== null) {
    facts.push([
      'suspicious',
      `${amount(report.backdated.count, 'event')} from ${count(report.backdated.firstSeq)} on ${report.backdated.count === 1 ? 'claims' : 'claim'} to be older than the witness that had not seen them`,
    ])
  }
  return facts
}

const count = (value: number): string => value.toLocaleString('en-US')

/** `1 event`, `1,200 events`. */
export const amount = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`

const show = (value: string | number | null): string => (value === null ? 'nothing' : printable(String(value)))

/** Control characters, direction marks and the like, escaped. */
export function printable(text: string): string {
  const cut = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return cut.replace(
    /[\p{C}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
