/**
 * What `check` finds out, as plain data: it crosses threads and is what every report is written from.
 * INVARIANT: no value of an entity is in here that the engine has not published (redacted and bounded) as `actual`.
 */
import type { Failure, JsonValue, Target } from '@plumbline/engine'
import type { Diagnostic } from '../input/diagnostic.js'

export interface Suppression {
  readonly kind: 'exemption' | 'baseline'
  /** Id of the exemption; null for the baseline. */
  readonly id: string | null
  readonly reason: string | null
  readonly expiresAt: string | null
}

export interface EntitySummary {
  readonly target: Target
  readonly id: string | null
  readonly name: string
  /** Which entity of its file, from 0. */
  readonly ordinal: number
  readonly line: number
}

export interface Finding {
  readonly ruleId: string
  readonly ruleName: string
  readonly description: string | null
  readonly severity: string
  readonly message: string
  readonly file: string
  /**
   * Of the key that the rule reads, or of the nearest thing around it that exists; from 1. Where there are `failures`: of the
   * last of their keys that the file has.
   */
  readonly line: number
  readonly column: number
  /** Exclusive end of the value, when it is on the same line. */
  readonly endColumn: number | null
  /** Which document of the file, from 0. */
  readonly document: number
  readonly entity: EntitySummary
  readonly field: string
  readonly operator: string | null
  readonly expected: JsonValue
  readonly actual: JsonValue
  /** The entries of a rule with alternatives, all of which failed; absent for other rules. `message` says what was found. */
  readonly failures?: readonly Failure[]
  /** Code of the rule's own fault, when it could not be evaluated. */
  readonly issue: string | null
  /** Names this finding over time: not its line, not its message. */
  readonly fingerprint: string
  /** The same without its file: what a server says of the entity is named alike. */
  readonly entityFingerprint: string
  /** Why it does not count, or null. */
  readonly suppression: Suppression | null
  /** The part of the source line that may be shown. */
  readonly excerpt: string
}

export interface FileResult {
  readonly file: string
  readonly entities: readonly EntitySummary[]
  /** In the order of the entities, then of the rules; suppressed ones too. */
  readonly findings: readonly Finding[]
  /** What could not be read, parsed, guessed or was over a limit. */
  readonly problems: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly unknownKeys: readonly { readonly target: Target; readonly key: string }[]
  /** Ids of the exemptions that are for an entity of the file, whether or not there is anything to waive. */
  readonly covering: readonly string[]
  /** Names of rules that wait for the built image of a plugin in the file. */
  readonly waiting: readonly string[]
}

/** `none` is above every severity. An unknown severity blocks, so it counts as the highest. */
export function reachesSeverity(severity: string, threshold: string): boolean {
  const rank = (name: string) => {
    const index = ['warning', 'error', 'critical'].indexOf(name)
    return index < 0 ? 2 : index
  }
  return threshold !== 'none' && rank(severity) >= rank(threshold)
}
