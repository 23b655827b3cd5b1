/**
 * Attacks on a log of 1,000 events, each judged in the three settings of the verifier:
 *
 *     full   a checkpoint of the full size was kept outside before the attack
 *     half   a checkpoint at size 500 was kept
 *     none   no checkpoint; the head is the attacker's
 *
 * Every attack states the verdict and the place that each setting must answer. The columns come from the record type, so
 * a field that is added and not hashed fails here by itself.
 */
import {
  type AuditRecord,
  eraseRecord,
  eventHash,
  type InvalidReason,
  RECORD_FIELDS,
  type VerifyReport,
  verifyLog,
} from '../src/index.js'
import { checkpointOf, crypto, eventAt, logKey, makeLog, otherKey, Random, sealAll } from '../test/support/fixture.js'

export const SETTINGS = ['full', 'half', 'none'] as const
export type Setting = (typeof SETTINGS)[number]

const SIZE = 1000
const HALF = 500
const CHAIN = 'acme'

interface Evil {
  readonly rows: readonly unknown[]
  /** The head row of the attacked database. */
  readonly head: { seq: number; hash: string } | null
  /** A checkpoint that the attacker hands over with the log. */
  readonly offered?: string
}

interface Expected {
  readonly verdict: VerifyReport['verdict']
  readonly reasons?: readonly InvalidReason[]
  readonly place?: number | null
}

export interface Attack {
  readonly name: string
  readonly at: number
  make(): Evil
  expect(setting: Setting): Expected
}

export interface Target {
  readonly rows: readonly AuditRecord[]
  readonly foreign: readonly AuditRecord[]
  readonly seed: number
  readonly full: string
  readonly half: string
}

export function makeTarget(seed: number): Target {
  const { rows } = makeLog(SIZE, seed, CHAIN)
  const full = checkpointOf(rows, CHAIN)
  const half = checkpointOf(rows.slice(0, HALF), CHAIN)
  return { rows, foreign: makeLog(SIZE, seed, 'other-org').rows, seed, full, half }
}

/** The attack's verdict in a setting, or what is wrong with it. */
export function judge(target: Target, attack: Attack, evil: Evil, setting: Setting): string | null {
  const kept = setting === 'full' ? [target.full] : setting === 'half' ? [target.half] : []
  const offered = evil.offered === undefined || setting === 'none' ? [] : [evil.offered]
  const report = verifyLog(crypto, evil.rows, {
    chain: CHAIN,
    checkpoints: kept,
    offeredCheckpoints: offered,
    head: evil.head === null ? null : { ...evil.head, offered: true },
    keys: [logKey],
  })
  const expected = attack.expect(setting)
  const wrong = (what: string) =>
    `${attack.name} at ${attack.at}, ${setting}: ${what}; answered ${report.verdict} ${report.reason ?? report.cannotTell ?? ''} at ${report.brokenSeq}`
  if (report.verdict !== expected.verdict) return wrong(`expected ${expected.verdict}`)
  if (expected.verdict !== 'invalid') return null
  if (report.reason === undefined || !expected.reasons?.includes(report.reason))
    return wrong(`expected ${expected.reasons}`)
  if (report.brokenSeq !== expected.place) return wrong(`expected place ${expected.place}`)
  if (report.evidence === undefined || report.evidence.expected === report.evidence.actual)
    return wrong('expected evidence')
  return null
}

/** What attacks are made of: the log, the parts of it around an event, and the head that the verifier is given. */
function sceneOf(target: Target) {
  const { rows, foreign } = target
  const seqs = rows.map(({ seq }) => seq)
  const head = headOf(rows)
  const at = (seq: number): AuditRecord => rows[seq - 1] as AuditRecord
  const before = (seq: number) => rows.slice(0, seq - 1)
  const after = (seq: number) => rows.slice(seq)
  const attack = (name: string, seq: number, make: () => Evil, expect: Attack['expect']): Attack => ({
    name,
    at: seq,
    make,
    expect,
  })
  return { target, rows, foreign, seqs, head, at, before, after, attack }
}
type Scene = ReturnType<typeof sceneOf>

/** All attacks on a log, class by class. */
export function attacksOn(target: Target): Attack[][] {
  const scene = sceneOf(target)
  return [
    ...columnAttacks(scene),
    ...rowAttacks(scene),
    ...insertedAttacks(scene),
    ...forgedAttacks(scene),
    ...contentAttacks(scene),
  ]
}

/** Each column of each row, changed in each way. */
function columnAttacks({ head, at, before, after, attack, rows, seqs }: Scene): Attack[][] {
  return (Object.keys(RECORD_FIELDS) as (keyof AuditRecord)[]).flatMap((column) =>
    mutations.map((mutation) =>
      seqs.flatMap((seq) => {
        const row = at(seq)
        const value = mutation.of(row[column], column, rows[seq % SIZE] as AuditRecord)
        if (value === row[column]) return []
        const make = () => ({ rows: [...before(seq), { ...row, [column]: value }, ...after(seq)], head })
        return [attack(`column ${column} ${mutation.name}`, seq, make, () => walk(seq, ...reasonsOf(column, seq)))]
      }),
    ),
  )
}

/** Rows and columns taken away, added and moved. */
function rowAttacks({ head, at, before, after, attack, seqs }: Scene): Attack[][] {
  return [
    seqs.map((seq) => {
      const make = () => ({ rows: [...before(seq), without(at(seq), seq), ...after(seq)], head })
      return attack('column removed', seq, make, () => walk(seq, 'malformed_row'))
    }),
    seqs.map((seq) => {
      const make = () => ({ rows: [...before(seq), { ...at(seq), note: 'x' }, ...after(seq)], head })
      return attack('column added', seq, make, () => walk(seq, 'malformed_row'))
    }),
    seqs.map((seq) => {
      const expected =
        seq === SIZE ? walk(seq, 'truncated') : walk(seq + 1, seq === 1 ? 'anchor_mismatch' : 'sequence_gap')
      return attack(
        'row deleted',
        seq,
        () => ({ rows: [...before(seq), ...after(seq)], head }),
        () => expected,
      )
    }),
    seqs.map((seq) => {
      // Deletes the row and closes the gap by renumbering, without recomputing.
      const renumber = (row: AuditRecord) => ({ ...row, seq: row.seq - 1 })
      const make = () => {
        const left = [...before(seq), ...after(seq).map(renumber)]
        return { rows: left, head: headOf(left) }
      }
      const reason = seq === 1 ? 'anchor_mismatch' : 'link_mismatch'
      const expect = (setting: Setting) => (seq === SIZE ? truncation(SIZE - 1)(setting) : walk(seq, reason))
      return attack('row deleted, rest renumbered', seq, make, expect)
    }),
    seqs.slice(0, -1).map((seq) => {
      const make = () => ({ rows: [...before(seq), at(seq + 1), at(seq), ...after(seq + 1)], head })
      return attack('neighbours swapped', seq, make, () =>
        walk(seq + 1, seq === 1 ? 'anchor_mismatch' : 'sequence_gap'),
      )
    }),
    seqs.slice(0, -1).map((seq) => {
      const make = () => ({
        rows: [...before(seq), { ...at(seq + 1), seq }, { ...at(seq), seq: seq + 1 }, ...after(seq + 1)],
        head,
      })
      return attack('neighbours swapped, renumbered', seq, make, () =>
        walk(seq, seq === 1 ? 'anchor_mismatch' : 'link_mismatch'),
      )
    }),
    seqs.map((seq) =>
      attack(
        'tail truncated',
        seq,
        () => ({ rows: before(seq), head }),
        () => walk(seq, 'truncated'),
      ),
    ),
    seqs.map((seq) => {
      const make = () => ({ rows: before(seq), head: seq === 1 ? null : headOf(before(seq)) })
      return attack('tail truncated, head too', seq, make, truncation(seq - 1))
    }),
    seqs.slice(0, -1).map((seq) => {
      const make = () => ({ rows: after(seq), head })
      return attack('prefix deleted', seq, make, () => walk(seq + 1, 'anchor_mismatch'))
    }),
  ]
}

/** Rows that were never written there. */
function insertedAttacks({ head, after, attack, rows, seqs, at, target }: Scene): Attack[][] {
  return [
    [0, ...seqs].map((seq) => {
      const forged = () =>
        sealAll([eventAt(5000 + seq, random(target, seq), CHAIN)], random(target, seq), rows[seq - 1] ?? null)
      const make = () => ({ rows: [...rows.slice(0, seq), ...forged(), ...after(seq)], head })
      // The forged row takes the number of the one behind the gap; behind the last one it is more than the head knows.
      const expected =
        seq === SIZE ? walk(SIZE + 1, 'head_mismatch') : walk(seq + 1, 'sequence_gap', 'backdated', 'link_mismatch')
      return attack('row inserted', seq, make, () => expected)
    }),
    seqs.map((seq) => {
      const make = () => ({ rows: [...rows.slice(0, seq), at(seq), ...after(seq)], head })
      return attack('row duplicated', seq, make, () => walk(seq, 'sequence_gap'))
    }),
  ]
}

/** Logs that were computed again from an event on. */
function forgedAttacks({ attack, seqs, target }: Scene): Attack[][] {
  return [
    seqs.map((seq) => attack('fork', seq, () => recomputed(target, seq, 'fork'), recompute(seq))),
    seqs.map((seq) => attack('edit and recompute', seq, () => recomputed(target, seq, 'edit'), recompute(seq))),
    seqs.map((seq) => {
      const make = () => {
        const evil = recomputed(target, seq, 'edit')
        return { ...evil, offered: checkpointOf(evil.rows, CHAIN, [otherKey]) }
      }
      const expect = (setting: Setting): Expected =>
        setting === 'half' && seq > HALF ? { verdict: 'cannot-tell' } : recompute(seq)(setting)
      return attack('edit, recompute and sign with another key', seq, make, expect)
    }),
    seqs.map((seq) => {
      const make = () => {
        const evil = recomputed(target, seq, 'edit')
        return { ...evil, offered: checkpointOf(evil.rows, CHAIN) }
      }
      return attack('edit, recompute and sign with the key', seq, make, recompute(seq))
    }),
    seqs.map((seq) => {
      const make = () => {
        const evil = recomputed(target, seq, 'edit')
        return { ...evil, offered: patched(target.full, evil.rows) }
      }
      const expect = (setting: Setting): Expected => (setting === 'none' ? { verdict: 'cannot-tell' } : root())
      return attack('edit, recompute and patch the root', seq, make, expect)
    }),
    seqs.slice(1).map((seq) => {
      const make = () => recomputed(target, seq, 'backdate')
      return attack('backdated and recomputed', seq, make, () => walk(seq, 'backdated'))
    }),
  ]
}

/** Rows of another organization, and content that was erased or rewritten. */
function contentAttacks({ head, at, before, after, attack, rows, foreign, seqs, target }: Scene): Attack[][] {
  return [
    seqs.map((seq) => {
      const make = () => ({ rows: [...before(seq), foreign[seq - 1], ...after(seq)], head })
      return attack('row of another organization', seq, make, () => walk(seq, 'chain_mismatch'))
    }),
    seqs.map((seq) => {
      const make = () => ({ rows: [...before(seq), ...foreign.slice(seq - 1)], head: headOf(foreign) })
      return attack('log of another organization from here on', seq, make, () => walk(seq, 'chain_mismatch'))
    }),
    seqs.map((seq) => {
      const relabelled = foreign.slice(seq - 1).map((row) => ({ ...row, chain: CHAIN }))
      const make = () => ({ rows: [...before(seq), ...relabelled], head: headOf(foreign) })
      return attack('log of another organization, relabelled', seq, make, () =>
        walk(seq, seq === 1 ? 'anchor_mismatch' : 'link_mismatch'),
      )
    }),
    ...(['identity', 'details'] as const).map((part) =>
      seqs.flatMap((seq) => {
        if (part === 'details' && at(seq).details === null) return []
        const make = () => ({ rows: [...before(seq), eraseRecord(at(seq), part), ...after(seq)], head })
        return [attack(`unexplained erasure of ${part}`, seq, make, () => walk(seq, 'unexplained_erasure'))]
      }),
    ),
    seqs.map((seq) => {
      const make = () => ({
        rows: [...before(seq), { ...at(seq), actorEmail: null, ip: null, userAgent: null }, ...after(seq)],
        head,
      })
      return attack('identity erased, salt kept', seq, make, () => walk(seq, 'hash_mismatch'))
    }),
    seqs.flatMap((seq) => {
      if (at(seq).detailsHash !== null) return []
      const make = () => ({ rows: [...before(seq), { ...at(seq), details: '{"name":"x"}' }, ...after(seq)], head })
      return [attack('details added to an event without', seq, make, () => walk(seq, 'hash_mismatch'))]
    }),
    seqs.map((seq) => {
      const make = () => ({ ...recomputed(target, seq, 'edit'), head })
      return attack('edit and recompute, head left', seq, make, () => walk(SIZE, 'head_mismatch'))
    }),
    seqs.map((seq) => {
      const make = () => ({ rows, head: { seq: SIZE, hash: foreign[seq - 1]?.hash ?? '' } })
      return attack('head replaced', seq, make, () => walk(SIZE, 'head_mismatch'))
    }),
    seqs.map((seq) => {
      const { actorId, id } = at(seq)
      const swapped = { ...(rows[seq % SIZE] as AuditRecord), seq, prevHash: at(seq).prevHash, actorId, id }
      const make = () => ({ rows: [...before(seq), swapped, ...after(seq)], head })
      return attack('row rewritten in place', seq, make, () => walk(seq, 'hash_mismatch'))
    }),
  ]
}

interface Mutation {
  readonly name: string
  of(value: AuditRecord[keyof AuditRecord], column: keyof AuditRecord, neighbour: AuditRecord): unknown
}

const mutations: readonly Mutation[] = [
  {
    name: 'bit flipped',
    of: (value) => {
      if (typeof value === 'number') return value ^ 1
      if (value === null) return 'x'
      return String.fromCharCode(value.charCodeAt(0) ^ 1) + value.slice(1)
    },
  },
  { name: 'extended', of: (value) => (typeof value === 'number' ? value + 1000 : value === null ? '' : `${value} `) },
  { name: 'removed', of: () => null },
  { name: 'exchanged with a neighbour', of: (_value, column, neighbour) => neighbour[column] },
]

function reasonsOf(column: keyof AuditRecord, seq: number): InvalidReason[] {
  const first: InvalidReason = seq === 1 ? 'anchor_mismatch' : 'link_mismatch'
  if (column === 'chain') return ['chain_mismatch', 'malformed_row']
  if (column === 'seq') return [seq === 1 ? 'anchor_mismatch' : 'sequence_gap', 'malformed_row']
  if (column === 'prevHash') return [first, 'malformed_row']
  return ['hash_mismatch', 'malformed_row']
}

/** What the walk over the rows finds in every setting. */
const walk = (place: number, ...reasons: InvalidReason[]): Expected => ({ verdict: 'invalid', reasons, place })

/** What only a root shows. */
const root = (): Expected => ({ verdict: 'invalid', reasons: ['checkpoint_mismatch'], place: null })

/** Rows and head agree with each other from the first changed event on; only a checkpoint behind it notices. */
const recompute =
  (first: number) =>
  (setting: Setting): Expected => {
    if (setting === 'full' || (setting === 'half' && first <= HALF)) return root()
    return { verdict: setting === 'half' ? 'valid' : 'cannot-tell' }
  }

/** A log of `size` events whose head agrees. */
const truncation =
  (size: number) =>
  (setting: Setting): Expected => {
    if (setting === 'full' || (setting === 'half' && size < HALF)) return walk(size + 1, 'truncated')
    return { verdict: setting === 'half' ? 'valid' : 'cannot-tell' }
  }

function recomputed(target: Target, seq: number, how: 'fork' | 'edit' | 'backdate'): Evil & { rows: AuditRecord[] } {
  const { rows } = target
  const previous = rows[seq - 2] ?? null
  const source = random(target, seq)
  let suffix: AuditRecord[]
  if (how === 'fork') {
    suffix = sealAll(
      Array.from({ length: SIZE - seq + 1 }, (_, index) => eventAt(seq + index, source, CHAIN)),
      source,
      previous,
    )
  } else {
    suffix = []
    for (const row of rows.slice(seq - 1)) {
      const changed =
        row.seq !== seq ? {} : how === 'edit' ? { actorId: 'mallory' } : { createdAt: '2001-01-01T00:00:00.000Z' }
      const last = suffix.at(-1) ?? previous
      suffix.push(rehash({ ...row, ...changed, prevHash: last?.hash ?? row.prevHash }))
    }
  }
  const all = [...rows.slice(0, seq - 1), ...suffix]
  return { rows: all, head: headOf(all) }
}

function rehash(row: AuditRecord): AuditRecord {
  return { ...row, hash: eventHash(crypto, row) ?? '' }
}

function without(row: AuditRecord, seq: number): Partial<AuditRecord> {
  const columns = Object.keys(row) as (keyof AuditRecord)[]
  const { [columns[seq % columns.length] as keyof AuditRecord]: _gone, ...rest } = row
  return rest
}

/** A signed note with root and head of other rows under the old signature. */
function patched(note: string, rows: readonly AuditRecord[]): string {
  const [, , root, head] = checkpointOf(rows, CHAIN).split('\n')
  return note.replace(/\n[^\n]{43}=\nhead [^\n]*\n/, `\n${root}\n${head}\n`)
}

const headOf = (rows: readonly AuditRecord[]) => ({ seq: rows.at(-1)?.seq ?? 0, hash: rows.at(-1)?.hash ?? '' })

const random = (target: Target, seq: number): Random => new Random(target.seed * 100_003 + seq)
