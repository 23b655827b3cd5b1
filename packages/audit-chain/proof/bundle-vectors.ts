/**
 * Bundles with the answer that a verifier must give, one for each point of docs/reference/audit-bundle.md on which two
 * careful readers could differ. The answers are written down by hand; `vectors.test.ts` and the Python verifier's test
 * compare both verifiers with them.
 */
import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  type AuditRecord,
  type BundleManifest,
  canonicalText,
  createVerifierKey,
  FOREIGN_IDENTITIES,
  formatTlogProof,
  formatVerifierKey,
  parseCheckpoint,
  planPrune,
  StoredTree,
  signAnchor,
  signatureLine,
  signNote,
  withholdForeign,
} from '../src/index.js'
import {
  checkpointOf,
  crypto,
  logKey,
  makeLog,
  makeLogWithErasures,
  ORIGIN,
  otherKey,
  witnessKey,
} from '../test/support/fixture.js'

export interface BundleVector {
  readonly name: string
  /** Base 64 of the file: some hold bytes that are not UTF-8. */
  readonly file: string
  readonly keys: readonly string[]
  readonly checkpoints: readonly string[]
  readonly verdict: 'valid' | 'invalid' | 'cannot-tell'
  /** `reason` of an invalid log, `cannotTell` otherwise. */
  readonly why: string | null
  readonly brokenSeq: number | null
  readonly coveredThrough: number | null
  readonly exitCode: 0 | 1 | 3
}

type Answer = Pick<BundleVector, 'verdict' | 'why' | 'brokenSeq' | 'coveredThrough' | 'exitCode'>

const valid = (coveredThrough: number): Answer => ({
  verdict: 'valid',
  why: null,
  brokenSeq: null,
  coveredThrough,
  exitCode: 0,
})
const invalid = (why: string, brokenSeq: number | null): Answer => ({
  verdict: 'invalid',
  why,
  brokenSeq,
  coveredThrough: null,
  exitCode: 1,
})
const cannotTell = (why: string): Answer => ({
  verdict: 'cannot-tell',
  why,
  brokenSeq: null,
  coveredThrough: null,
  exitCode: 3,
})

const CHAIN = 'acme'
const known = [formatVerifierKey(logKey), formatVerifierKey(witnessKey)]

function manifestOf(rows: readonly AuditRecord[], chain = CHAIN): BundleManifest {
  return {
    plumblineAuditBundle: 1,
    origin: ORIGIN,
    chain,
    from: 1,
    to: rows.length,
    complete: true,
    head: { seq: rows.length, hash: rows.at(-1)?.hash ?? '' },
    anchor: null,
    checkpoints: [checkpointOf(rows, chain)],
    proofs: [],
    keys: [formatVerifierKey(logKey)],
    createdAt: '2026-02-01T00:00:00.000Z',
  }
}

const textOf = (manifest: unknown, rows: readonly object[]): string =>
  [canonicalText(manifest as never), ...rows.map((row) => canonicalText({ ...row } as never))]
    .map((line) => `${line}\n`)
    .join('')

function vector(
  name: string,
  file: string | Buffer,
  answer: Answer,
  given: { readonly keys?: readonly string[]; readonly checkpoints?: readonly string[] } = {},
): BundleVector {
  return {
    name,
    file: Buffer.from(file as string).toString('base64'),
    keys: given.keys ?? known,
    checkpoints: given.checkpoints ?? [],
    ...answer,
  }
}

/** A proof of one event in the tree over the first `size` events. */
function proofOf(rows: readonly AuditRecord[], index: number, size: number, checkpoint: string): string {
  const tree = new StoredTree(crypto)
  for (const row of rows.slice(0, size)) tree.append(row.hash)
  return formatTlogProof({ index, path: tree.inclusionProof(index, size) ?? [], checkpoint })
}

/** The bundles that are as they should be: every shape that the format has. */
export function honestBundles(): BundleVector[] {
  const { rows } = makeLog(12, 3)
  const manifest = manifestOf(rows)
  const note = checkpointOf(rows, CHAIN)
  const text = parseCheckpoint(note)?.note.text ?? ''
  const erased = makeLogWithErasures(12, 4).rows
  const anchor = prunedAt(rows)
  const part = { ...manifest, complete: false, from: 4, to: 8, head: null, checkpoints: [] }
  const spaced = makeLog(5, 8, 'org 7/\u00a0\u0085%').rows
  return [
    vector('complete', textOf(manifest, rows), valid(12)),
    vector(
      'cosigned by a witness',
      textOf({ ...manifest, checkpoints: [note + signatureLine(crypto, text, witnessKey, 1_769_900_000)] }, rows),
      valid(12),
    ),
    vector('kept checkpoint', textOf(manifest, rows), valid(12), {
      checkpoints: [checkpointOf(rows.slice(0, 7), CHAIN)],
    }),
    vector('erased and explained', textOf(manifestOf(erased), erased), valid(erased.length)),
    vector(
      'without foreign identities',
      textOf({ ...manifest, withheld: FOREIGN_IDENTITIES }, rows.map(withholdForeign)),
      valid(12),
    ),
    vector('pruned', textOf({ ...manifest, anchor, from: 6 }, rows.slice(5)), valid(12)),
    vector('part with a proof', textOf({ ...part, proofs: [proofOf(rows, 6, 12, note)] }, rows.slice(3, 8)), valid(7)),
    vector('part without a proof', textOf(part, rows.slice(3, 8)), cannotTell('no_checkpoint')),
    vector('name of the chain is encoded', textOf(manifestOf(spaced, 'org 7/\u00a0\u0085%'), spaced), valid(5)),
    vector('no key is known', textOf(manifest, rows), cannotTell('unknown_key'), { keys: [] }),
  ]
}

function prunedAt(rows: readonly AuditRecord[]) {
  const anchor = planPrune(crypto, {
    origin: ORIGIN,
    chain: CHAIN,
    previous: null,
    rows,
    before: rows[5]?.createdAt ?? '',
    checkpointSize: rows.length,
    prunedAt: '2026-02-01T00:00:00.000Z',
  })
  if (anchor === null || anchor.throughSeq !== 5) throw new Error('five events can be pruned')
  return signAnchor(crypto, anchor, [logKey])
}

/** What the page has to answer, question by question. */
export function questionBundles(): BundleVector[] {
  const scene = sceneOfQuestions()
  return [
    ...manifestQuestions(scene),
    ...contentQuestions(scene),
    ...proofQuestions(scene),
    ...formQuestions(scene),
    ...signatureBundles(scene.rows, scene.manifest),
  ]
}

function sceneOfQuestions() {
  const { rows } = makeLog(12, 3)
  const manifest = manifestOf(rows)
  const [note = ''] = manifest.checkpoints
  const withNote = (other: string) => textOf({ ...manifest, checkpoints: [other] }, rows)
  const bodyOf = (head: string) => {
    const lines = (parseCheckpoint(note)?.note.text ?? '').split('\n')
    return signNote(crypto, [...lines.slice(0, 3), ...(head === '' ? [] : head.split('\n')), ''].join('\n'), [logKey])
  }
  const head = `head ${rows.at(-1)?.hash}`
  const bytes = Buffer.from(textOf(manifest, rows))
  const address = bytes.lastIndexOf('evt_')
  const anchor = prunedAt(rows)
  const row = (index: number, change: object) => rows.map((one, at) => (at === index ? { ...one, ...change } : one))
  const upperSalt = (rows[0]?.identitySalt ?? '').toUpperCase()
  const longer = makeLog(14, 3).rows
  const otherHistory = makeLog(12, 9).rows
  const part = { ...manifest, complete: false, head: null, checkpoints: [] }
  return {
    rows,
    manifest,
    note,
    withNote,
    bodyOf,
    head,
    bytes,
    address,
    anchor,
    row,
    upperSalt,
    longer,
    otherHistory,
    part,
  }
}
type Scene = ReturnType<typeof sceneOfQuestions>

/** Questions 1 to 4: the manifest, and a log without records. */
function manifestQuestions({ rows, manifest, note, withNote, bodyOf, head, anchor }: Scene): BundleVector[] {
  return [
    vector('1: the first line is not a manifest', 'hello\n', cannotTell('not_a_log')),
    vector('1: an empty file', '', cannotTell('nothing_to_check')),
    vector(
      '2: one digit of the head line is none',
      withNote(note.replace(/head ./, 'head g')),
      invalid('checkpoint_mismatch', null),
    ),
    vector(
      '2: one digit of the size is none',
      withNote(note.replace('\n12\n', '\n1x\n')),
      invalid('checkpoint_mismatch', null),
    ),
    vector(
      '2: signed, and its head line holds no hash',
      withNote(bodyOf('head none')),
      cannotTell('missing_checkpoint'),
    ),
    vector('2: signed, with the head behind another line', withNote(bodyOf(`more data\n${head}`)), valid(12)),
    vector(
      '2: signed, the first of two heads counts',
      withNote(bodyOf(`head ${rows[0]?.hash}\n${head}`)),
      invalid('checkpoint_mismatch', null),
    ),
    vector('2: signed, without a head line', withNote(bodyOf('')), valid(12)),
    vector(
      '2: a signature line has not its form',
      withNote(note.replace('\u2014 ', '- ')),
      cannotTell('missing_checkpoint'),
    ),
    vector(
      '4: no record',
      textOf({ ...manifest, to: 0, head: null, checkpoints: [] }, []),
      cannotTell('nothing_to_check'),
    ),
    vector('4: no record, and a head', textOf(manifest, []), invalid('truncated', 1)),
    vector(
      '4: no record, and an anchor of another chain',
      textOf({ ...manifest, anchor: { ...anchor, chain: 'other' }, from: 6 }, []),
      invalid('anchor_mismatch', null),
    ),
    vector(
      '4: no record behind an anchor, and another head',
      textOf({ ...manifest, anchor, from: 6, to: 5, checkpoints: [], head: { seq: 5, hash: rows[8]?.hash } }, []),
      invalid('head_mismatch', 5),
    ),
  ]
}

/** Questions 5 and 6: bytes and salts. */
function contentQuestions({ rows, manifest, bytes, address, row, upperSalt }: Scene): BundleVector[] {
  return [
    vector(
      '5: a byte that is not UTF-8',
      Buffer.concat([bytes.subarray(0, address), Buffer.from([0xff]), bytes.subarray(address + 1)]),
      invalid('hash_mismatch', 12),
    ),
    vector(
      '5: a lone surrogate in a record',
      textOf(manifest, rows).replace('"actorId":"', '"actorId":"\\ud800'),
      invalid('hash_mismatch', 1),
    ),
    vector(
      '5: a lone surrogate in the manifest',
      textOf(manifest, rows).replace('"chain":"', '"chain":"\\ud800'),
      cannotTell('not_a_log'),
    ),
    vector(
      '6: a salt in upper case',
      textOf(manifest, row(0, { identitySalt: upperSalt })),
      invalid('hash_mismatch', 1),
    ),
  ]
}

/** Question 7: proofs and the checkpoints in them. */
function proofQuestions({ rows, manifest, note, longer, otherHistory, part }: Scene): BundleVector[] {
  return [
    vector(
      '7: the checkpoint in a proof is beyond the end',
      textOf({ ...manifest, proofs: [proofOf(longer, 3, 14, checkpointOf(longer, CHAIN))] }, rows),
      invalid('truncated', 13),
    ),
    vector(
      '7: a part may end before the checkpoint in its proof',
      textOf({ ...part, from: 1, to: 5, proofs: [proofOf(rows, 3, 12, note)] }, rows.slice(0, 5)),
      valid(4),
    ),
    vector(
      '7: the checkpoint in a proof is of another history',
      textOf(
        {
          ...manifest,
          proofs: [
            proofOf(
              [...rows.slice(0, 4), ...otherHistory.slice(4)],
              3,
              8,
              checkpointOf([...rows.slice(0, 4), ...otherHistory.slice(4, 8)], CHAIN),
            ),
          ],
        },
        rows,
      ),
      invalid('checkpoint_mismatch', null),
    ),
  ]
}

/** Questions 8 and 9: further members, and signatures and proofs in another form. */
function formQuestions({ rows, manifest, note, anchor, part }: Scene): BundleVector[] {
  return [
    vector('8: further members of the manifest', textOf({ ...manifest, more: { a: 1 } }, rows), valid(12)),
    vector('8: an anchor without members', textOf({ ...manifest, anchor: {} }, rows), cannotTell('not_a_log')),
    vector('8: an anchor that is text', textOf({ ...manifest, anchor: '' }, rows), cannotTell('not_a_log')),
    vector('8: a key line that is none', textOf({ ...manifest, keys: ['none', ...manifest.keys] }, rows), valid(12)),
    vector(
      '8: an offered key whose id is not its own',
      textOf(
        {
          ...manifest,
          checkpoints: [checkpointOf(rows, CHAIN, [otherKey])],
          keys: [formatVerifierKey(otherKey).replace(/\+[0-9a-f]{8}\+/, '+00000000+')],
        },
        rows,
      ),
      cannotTell('unknown_key'),
    ),
    vector(
      '9: the signature of an anchor without its line feed',
      textOf({ ...manifest, anchor: { ...anchor, signature: anchor.signature.trimEnd() }, from: 6 }, rows.slice(5)),
      invalid('anchor_mismatch', 6),
    ),
    vector(
      '9: a proof whose index has a leading zero',
      textOf(
        { ...part, from: 1, to: 5, proofs: [proofOf(rows, 3, 12, note).replace('index 3', 'index 03')] },
        rows.slice(0, 5),
      ),
      cannotTell('missing_checkpoint'),
    ),
  ]
}

/** Question 11: keys and signatures on which Ed25519 libraries differ. */
function signatureBundles(rows: readonly AuditRecord[], manifest: BundleManifest): BundleVector[] {
  const text = parseCheckpoint(checkpointOf(rows, CHAIN))?.note.text ?? ''
  const signedBy = (publicKey: Uint8Array, signature: Uint8Array) => {
    const key = createVerifierKey(crypto, 'weak', publicKey)
    const line = `\u2014 weak ${Buffer.concat([Buffer.from(key.id, 'hex'), signature]).toString('base64')}\n`
    return { keys: [formatVerifierKey(key)], file: textOf({ ...manifest, checkpoints: [`${text}\n${line}`] }, rows) }
  }
  const identity = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0))
  const small = signedBy(identity, Uint8Array.from([...identity, ...new Uint8Array(32)]))
  const { publicKey, sign } = mixedOrderKey()
  const message = Buffer.from(text)
  // Whether the cofactor matters depends on the challenge, which changes with the nonce.
  const nonces = Array.from({ length: 64 }, (_, index) => BigInt(index + 1))
  const mixed = nonces.map((nonce) => sign(message, nonce)).find(({ needsCofactor }) => needsCofactor)
  if (mixed === undefined) throw new Error('seven challenges of eight need the cofactor')
  const cofactored = signedBy(publicKey, mixed.signature)
  return [
    vector('11: a key of small order', small.file, invalid('checkpoint_mismatch', null), { keys: small.keys }),
    vector('11: a signature that fits with the cofactor alone', cofactored.file, invalid('checkpoint_mismatch', null), {
      keys: cofactored.keys,
    }),
  ]
}

/** A public key with a part of order eight, as only somebody makes it who wants verifiers to disagree. */
export function mixedOrderKey() {
  const { Point } = ed25519
  const order8 = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
  const secret = 7n
  const publicKey = Point.BASE.multiply(secret).add(order8).toBytes()
  const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
  const sign = (message: Uint8Array, nonce: bigint) => {
    const r = Point.BASE.multiply(nonce).toBytes()
    const challenge = createHash('sha512').update(r).update(publicKey).update(message).digest()
    const k = Point.Fn.create(number(challenge))
    const s = Buffer.from(
      Point.Fn.create(nonce + k * secret)
        .toString(16)
        .padStart(64, '0'),
      'hex',
    ).reverse()
    return { signature: Uint8Array.from([...r, ...s]), needsCofactor: k % 8n !== 0n }
  }
  return { publicKey, sign }
}
