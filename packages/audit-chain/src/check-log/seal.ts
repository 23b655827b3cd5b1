/**
 * The sum that seals one hour of the check log (ADR 35). A manifest has one line for each row:
 *
 *     <id> <createdAt> <H("plumbline-check-v1\n" || JCS(row without userId))> <H("plumbline-check-user-v1\n" || id || userId) or ->
 *
 * The sum is H("plumbline-check-seal-v1\n" || lines, each with its line feed). The user has a digest of its own, so
 * that the rest can still be proved after the user is erased.
 */
import { canonicaliseWhole } from '../canonical/jcs.js'
import type { CryptoPort } from '../crypto/port.js'
import { toUtf8 } from '../encoding/utf8.js'

/** A row of the check log as `GET /compliance/audit` returns it. Every field is covered by the digest. */
export interface CheckLogRow {
  readonly id: string
  readonly createdAt: string
  readonly userId: string | null
  readonly [field: string]: unknown
}

/** One line of a manifest. */
export interface SealedCheck {
  readonly id: string
  readonly createdAt: string
  readonly digest: string
  /** Null for a check that no user requested, and for one whose user was erased before it was sealed. */
  readonly userDigest: string | null
}

const ROW = toUtf8('plumbline-check-v1\n')
const USER = toUtf8('plumbline-check-user-v1\n')
const SEAL = toUtf8('plumbline-check-seal-v1\n')
const NOBODY = '-'

/**
 * Returns what a manifest says of a row: its id, its instant and two digests. `userDigest` is null when no user
 * requested the check.
 */
export function sealedCheck(crypto: CryptoPort, row: CheckLogRow): SealedCheck {
  const { userId, ...rest } = row
  return {
    id: row.id,
    createdAt: row.createdAt,
    digest: crypto.sha256Text(ROW, canonicaliseWhole(rest)),
    userDigest: userId === null ? null : crypto.sha256Text(USER, `${row.id}${userId}`),
  }
}

/** Returns the line of a manifest, without its line feed. */
export const sealLine = ({ id, createdAt, digest, userDigest }: SealedCheck): string =>
  `${id} ${createdAt} ${digest} ${userDigest ?? NOBODY}`

const LINE = /^(\S+) (\S+) ([0-9a-f]{64}) ([0-9a-f]{64}|-)$/

/** Parses a line of a manifest. Returns null when it is not one. */
export function readSealLine(line: string): SealedCheck | null {
  const [, id = '', createdAt = '', digest = '', user = ''] = LINE.exec(line) ?? []
  return digest === '' ? null : { id, createdAt, digest, userDigest: user === NOBODY ? null : user }
}

/**
 * Returns the sum in groups of eight digits, separated by colons. An ungrouped sum could contain twelve decimal digits
 * in a row, which scrubbing would replace as an account number.
 */
export function sealSum(crypto: CryptoPort, lines: readonly string[]): string {
  const sum = crypto.sha256Text(SEAL, lines.map((line) => `${line}\n`).join(''))
  return (sum.match(/.{8}/g) ?? []).join(':')
}

/** Orders rows in a manifest, and findings about them. */
export const byTime = (a: Pick<SealedCheck, 'createdAt' | 'id'>, b: Pick<SealedCheck, 'createdAt' | 'id'>): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
