/**
 * Verifies a bundle, or bare rows, line by line. The caller only splits its input into lines.
 *
 * INVARIANT: keys from the bundle are offered, not trusted, unless the caller says so.
 */
import { parseVerifierKey, type VerifierKey } from '../checkpoint/key.js'
import type { CryptoPort } from '../crypto/port.js'
import { FOREIGN_IDENTITIES } from '../event/foreign.js'
import { LogVerifier, type VerifyOptions } from '../verify/log-verifier.js'
import type { VerifyReport } from '../verify/report.js'
import { type BundleManifest, looksLikeManifest, readManifest } from './manifest.js'

export interface BundleOptions {
  /** The chain that the file must contain. By default the chain of the manifest, or else of the first row. */
  readonly chain?: string | undefined
  readonly checkpoints?: readonly string[] | undefined
  readonly keys?: readonly VerifierKey[] | undefined
  readonly head?: { readonly seq: number; readonly hash: string } | null | undefined
  /** Whether to trust the keys in the file as if the caller had given them; false by default. */
  readonly trustOfferedKeys?: boolean | undefined
  readonly witnessToleranceMs?: number | undefined
}

export interface BundleReport extends VerifyReport {
  /** Null when the input has no manifest: it is bare rows, or not a log. */
  readonly manifest: BundleManifest | null
}

/** A line of ASCII white space alone. Other blank characters are content, and they are not JSON. */
const EMPTY_LINE = /^[ \t\r\v\f]*$/

export class BundleVerifier {
  readonly #crypto: CryptoPort
  readonly #options: BundleOptions
  #manifest: BundleManifest | null = null
  #log: LogVerifier | null = null
  #isForeign = false

  constructor(crypto: CryptoPort, options: BundleOptions = {}) {
    this.#crypto = crypto
    this.#options = options
  }

  /**
   * Takes one line without its line feed. Set `isCut` for a last line without a line feed, where the file may have been
   * cut. Returns false when the verdict cannot change any more; further lines are still counted.
   */
  pushLine(line: string, isCut = false): boolean {
    if (this.#isForeign) return false
    if (EMPTY_LINE.test(line)) return true
    if (this.#log?.broken) return this.#log.push(null)
    const value = parse(line)
    if (this.#log !== null) {
      return value === undefined ? this.#log.pushUnreadable(isCut ? 'cut' : 'not JSON') : this.#log.push(value)
    }
    return this.#pushFirst(value)
  }

  /** Whether the first line is not of an audit log. Nothing after it can change that. */
  get isForeign(): boolean {
    return this.#isForeign
  }

  finish(): BundleReport {
    if (this.#isForeign) {
      const report = new LogVerifier(this.#crypto, this.#logOptions(null)).finish()
      return { ...foreign(report), manifest: null }
    }
    const log = this.#log ?? new LogVerifier(this.#crypto, this.#logOptions(null))
    return { ...log.finish(), manifest: this.#manifest }
  }

  #pushFirst(value: unknown): boolean {
    if (looksLikeManifest(value)) this.#manifest = readManifest(value)
    if (this.#manifest === null && !looksLikeRow(value)) {
      this.#isForeign = true
      return false
    }
    this.#log = new LogVerifier(this.#crypto, this.#logOptions(this.#manifest))
    return this.#manifest !== null || this.#log.push(value)
  }

  #logOptions(manifest: BundleManifest | null): VerifyOptions {
    const { keys = [], trustOfferedKeys = false, ...given } = this.#options
    if (manifest === null) return { ...given, keys }
    const offered = manifest.keys.flatMap((text) => parseVerifierKey(this.#crypto, text) ?? [])
    return {
      ...given,
      chain: given.chain ?? manifest.chain,
      origin: manifest.origin,
      anchor: manifest.anchor,
      range: manifest.complete ? null : { from: manifest.from, to: manifest.to },
      head: given.head ?? (manifest.head === null ? null : { ...manifest.head, offered: true }),
      offeredCheckpoints: manifest.checkpoints,
      proofs: manifest.proofs,
      foreignWithheld: manifest.withheld === FOREIGN_IDENTITIES,
      keys: trustOfferedKeys ? [...keys, ...offered] : keys,
      offeredKeys: offered,
    }
  }
}

/** Input without a single row is neither valid nor proof of tampering. */
function foreign(report: VerifyReport): VerifyReport {
  const { reason: _reason, brokenSeq: _seq, brokenAt: _at, evidence: _evidence, ...rest } = report
  return { ...rest, verdict: 'cannot-tell', ok: true, cannotTell: 'not_a_log', doubts: [] }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** True when the value has enough fields of a record to be meant as one. */
function looksLikeRow(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['chain', 'seq', 'prevHash', 'hash'].every((field) => Object.hasOwn(value, field))
  )
}
