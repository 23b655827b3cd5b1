/**
 * What a client says about the record that it changes: the revision that it read (`If-Match`) and fields that only the
 * server sets. Both are compared inside the transaction. A command that forgets to compare cannot succeed. Source: spec
 * platform 1.9a, 1.15.
 */
import { isDeepStrictEqual } from 'node:util'
import { invalid, Refusal } from '../errors.js'

export interface Stated {
  readonly serverOwned?: Readonly<Record<string, unknown>>
  readonly expectedRevision?: number | null
}

export class Conditions {
  readonly #serverOwned: Readonly<Record<string, unknown>> | undefined
  readonly #expectedRevision: number | null
  #revisionCompared = false
  #serverOwnedCompared = false

  constructor({ serverOwned, expectedRevision }: Stated) {
    this.#serverOwned = serverOwned
    this.#expectedRevision = expectedRevision ?? null
  }

  readExpectedRevision(): number | null {
    this.#revisionCompared = true
    return this.#expectedRevision
  }

  checkRevision(revision: number): void {
    this.#revisionCompared = true
    if (this.#expectedRevision !== null && this.#expectedRevision !== revision) throw stale(revision)
  }

  checkServerOwned(view: Readonly<Record<string, unknown>>): void {
    this.#serverOwnedCompared = true
    const issues = Object.entries(this.#serverOwned ?? {})
      .filter(([name, sent]) => !isDeepStrictEqual(sent, view[name]))
      .map(([name]) => ({
        path: `/body/${name}`,
        message: 'is set by the server: leave it out, or send the stored value',
        code: 'server_owned',
      }))
    if (issues.length > 0) throw invalid(issues)
  }

  /**
   * @throws Refusal 412 for an `If-Match` that nothing was compared with; Error for a command that did not compare its
   * fields.
   */
  assertCompared(operationName: string, changed: boolean): void {
    if (changed && this.#expectedRevision !== null && !this.#revisionCompared) {
      throw new Refusal('PRECONDITION_FAILED', 'this has no revision for `If-Match`: leave the header out')
    }
    if (this.#serverOwned !== undefined && !this.#serverOwnedCompared) {
      throw new Error(`${operationName} declares serverOwned and did not call checkServerOwned`)
    }
  }
}

function stale(revision: number): Refusal {
  return new Refusal(
    'PRECONDITION_FAILED',
    'the record changed since it was read: read it again, then repeat the change',
    {
      details: { revision },
    },
  )
}
