/**
 * What could still be hidden from a verification that found nothing wrong. It is part of every result, because a
 * verdict without its limits would claim too much.
 */
import type { Doubt, VerifyReport } from './report.js'

export function doubtsOf(report: Omit<VerifyReport, 'doubts'>): Doubt[] {
  if (report.verdict === 'invalid' || report.firstSeq === null) return []
  const doubts: Doubt[] = []
  const verified = report.checkpoints.filter((checkpoint) => checkpoint.verified)
  const last = report.lastSeq ?? 0
  if (report.checkpoints.length === 0) {
    doubts.push({
      code: 'recomputed',
      text: 'nothing signed was checked: a truncated tail, or a log recomputed from any event on, would look the same',
    })
  } else if (verified.length === 0) {
    doubts.push({
      code: 'key-from-file',
      text: 'no checkpoint is signed by a key that you gave: the person who made this file could have made the key with it',
    })
  }
  if (verified.length > 0 && report.coveredThrough < last) {
    doubts.push({
      code: 'uncovered-tail',
      text: `events ${report.coveredThrough + 1} to ${last} are behind the newest checkpoint: they are chained, but could have been truncated or recomputed`,
    })
  }
  const witnessed = verified.some((checkpoint) => checkpoint.witnesses.length > 0)
  if (verified.length > 0 && !verified.some(({ source }) => source === 'given') && !witnessed) {
    doubts.push({
      code: 'key-holder',
      text: 'the holder of the signing key could have rewritten the log and signed it again: only a checkpoint that you kept, or a witness, would show it',
    })
  }
  if (!witnessed) {
    doubts.push({
      code: 'fork',
      text: 'no witness cosigned: the log could show others another history (compare checkpoints with them)',
    })
  }
  doubts.push({
    code: 'timestamps',
    text: witnessed
      ? "times between two witnessed checkpoints are the log's own claim"
      : "times are the log's own claim: only their order is checked",
  })
  if (report.range !== null) {
    doubts.push({
      code: 'range',
      text: `only events ${report.range.from} to ${report.range.to} are here: nothing is said about the others`,
    })
  }
  if (report.anchor !== null) {
    doubts.push({
      code: 'pruned',
      text: `events 1 to ${report.anchor.throughSeq} were pruned: that they existed is proven, what they said is not here`,
    })
  }
  if (report.withheld > 0) {
    doubts.push({
      code: 'withheld',
      text: `who exactly is behind ${report.withheld} events by foreign actors was left out of this copy: their e-mail, address and browser are committed to, and not here`,
    })
  }
  doubts.push({ code: 'never-written', text: 'an event that was never written leaves no trace in any log' })
  return doubts
}
