/**
 * The sum that an hour of the check log is sealed with (ADR 35). A manifest has one line for each row:
 *
 *     <id> <createdAt> <H("plumbline-check-v1\n" || JCS(row without userId))> <H("plumbline-check-user-v1\n" || id || userId) or ->
 *
 * and the sum is H("plumbline-check-seal-v1\n" || lines, each with its line feed). The person stands in a digest of their own, so
 * that erasing them leaves the rest provable.
 */
import { canonicalise } from '../canonical/jcs.js'
import type { CryptoPort } from '../crypto/port.js'
import { toUtf8 } from '../encoding/utf8.js'

/** A row of the check log as `GET /compliance/audit` shows it; every field of it counts. */
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
  /** Null for a check that no person asked for, and for one whose person was erased before it was sealed. */
  readonly userDigest: string | null
}

const ROW = toUtf8('plumbline-check-v1\n')
const USER = toUtf8('plumbline-check-user-v1\n')
const SEAL = toUtf8('plumbline-check-seal-v1\n')
const NOBODY = '-'

/** What a manifest says of a row: its id, its instant and two digests; `userDigest` is null where no person asked. */
export function sealedCheck(crypto: CryptoPort, row: CheckLogRow): SealedCheck {
  const { userId, ...rest } = row
  return {
    id: row.id,
    createdAt: row.createdAt,
    digest: crypto.sha256Text(ROW, canonicalise(rest)),
    userDigest: userId === null ? null : crypto.sha256Text(USER, `${row.id}${userId}`),
  }
}

/** The line of a manifest, without its line feed. */
export const sealLine = ({ id, createdAt, digest, userDigest }: SealedCheck): string =>
  `${id} ${createdAt} ${digest} ${userDigest ?? NOBODY}`

const LINE = /^(\S+) (\S+) ([0-9a-f]{64}) ([0-9a-f]{64}|-)$/

/** Null for what is not a line of a manifest. */
export function readSealLine(line: string): SealedCheck | null {
  const [, id = '', createdAt = '', digest = '', user = ''] = LINE.exec(line) ?? []
  return digest === '' ? null : { id, createdAt, digest, userDigest: user === NOBODY ? null : user }
}

/**
 * In groups of eight digits with a colon between: a plain sum could hold twelve decimal digits in a row, which scrubbing takes
 * for an account number.
 */
export function sealSum(crypto: CryptoPort, lines: readonly string[]): string {
  const sum = crypto.sha256Text(SEAL, lines.map((line) => `${line}\n`).join(''))
  return (sum.match(/.{8}/g) ?? []).join(':')
}

/** The order of rows in a manifest, and of findings about them. */
export const byTime = (a: Pick<SealedCheck, 'createdAt' | 'id'>, b: Pick<SealedCheck, 'createdAt' | 'id'>): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
