/**
 * Writes vectors/*.json, test vectors that other implementations can use: `npx tsx packages/audit-chain/proof/write-vectors.ts`.
 * Inputs and, for RFC 8785, outputs are written down by hand; what is computed here is checked against independent
 * implementations by the tests that read the files.
 */
import { writeFileSync } from 'node:fs'
import {
  chainOrigin,
  coreText,
  formatCheckpoint,
  formatManifest,
  formatSigningKey,
  formatTlogProof,
  formatVerifierKey,
  genesis,
  identityText,
  parseCheckpoint,
  planPrune,
  StoredTree,
  scrub,
  sealEvent,
  signAnchor,
  signatureLine,
  signCheckpoint,
} from '../src/index.js'
import { checkpointOf, crypto, eventAt, logKey, makeLog, ORIGIN, Random, witnessKey } from '../test/support/fixture.js'
import { honestBundles, questionBundles } from './bundle-vectors.js'

const folder = new URL('../vectors/', import.meta.url)
const write = (name: string, value: unknown) =>
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(value, null, 2)}\n`)

/** RFC 8785, sections 3.2.2 and 3.2.3, and Appendix B. */
const numbers: readonly [ieee754: string, text: string][] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

write('canonical', {
  description: 'canonical JSON (RFC 8785): `json` is parsed, `canonical` is its canonical text',
  cases: [
    {
      name: 'RFC 8785 section 3.2.2',
      json: '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
      canonical:
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    },
    {
      name: 'RFC 8785 section 3.2.3: keys in UTF-16 order',
      json: '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
      canonical:
        '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    },
    {
      name: 'white space and nesting',
      json: ' [ { "b" : [ ] , "a" : { } } , "" ] ',
      canonical: '[{"a":{},"b":[]},""]',
    },
    { name: 'the last of repeated keys', json: '{"a":1,"a":2}', canonical: '{"a":2}' },
    { name: 'negative zero', json: '[-0,-0.0,0e5]', canonical: '[0,0,0]' },
    {
      name: 'every control character',
      json: `"${Array.from({ length: 32 }, (_, code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')}"`,
      canonical:
        '"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f"',
    },
    {
      name: 'not escaped: delete, line and paragraph separator',
      json: '"\\u007f\\u2028\\u2029"',
      canonical: '"\u007f\u2028\u2029"',
    },
    { name: 'lone surrogates are replaced', json: '["\\ud800","a\\udc00b"]', canonical: '["\ufffd","a\ufffdb"]' },
    {
      name: '__proto__ is a key',
      json: '{"__proto__":1,"__defineGetter__":2}',
      canonical: '{"__defineGetter__":2,"__proto__":1}',
    },
  ],
  numbers: numbers.map(([ieee754, text]) => ({ ieee754, text })),
})

const salt = (first: number) => Uint8Array.from({ length: 16 }, (_, index) => first + index)
const inputs = [
  { details: null },
  { details: { name: 'über', changed: ['a', 'b'], reason: 'line\nbreak "quoted"' } },
  { details: { part: 'identity', seqs: [[1, 1]] }, action: 'audit.event.erase' },
]
let previous: ReturnType<typeof sealEvent>['record'] | null = null
const events = inputs.map(({ details, action }, index) => {
  const event = {
    ...eventAt(index + 1, new Random(index + 1), 'acme'),
    ...(action === undefined ? {} : { action }),
    details: scrub(crypto, details).details,
  }
  const identitySalt = salt(index * 32)
  const detailsSalt = details === null ? null : salt(index * 32 + 16)
  const { record } = sealEvent(crypto, { event, previous, identitySalt, detailsSalt })
  previous = record
  return { identityText: identityText(record), coreText: coreText(record), record }
})
write('events', {
  description: 'sealed events of one chain: canonical texts that are hashed, and the records',
  genesis: ['acme', '__no-org__', 'zoë'].map((chain) => ({ chain, hash: genesis(crypto, chain) })),
  events,
})

const random = new Random(2026)
const leaves = Array.from({ length: 17 }, () => random.hash())
const tree = new StoredTree(crypto)
for (const leaf of leaves) tree.append(leaf)
write('trees', {
  description:
    'roots of the trees over the first `size` event hashes of `leaves`; the frontier keeps the largest subtree first',
  leaves,
  roots: Array.from({ length: leaves.length + 1 }, (_, size) => ({ size, root: tree.root(size) })),
})
write('proofs', {
  description: 'every inclusion proof and every consistency proof of the trees in trees.json, up to size 17',
  inclusion: pairs(17, 1).map(([index, size]) => ({ index, size, proof: tree.inclusionProof(index, size) })),
  consistency: pairs(18, 0).map(([first, second]) => ({ first, second, proof: tree.consistencyProof(first, second) })),
})

function pairs(limit: number, offset: number): [number, number][] {
  return Array.from({ length: limit }, (_, low) =>
    Array.from({ length: limit - low }, (_unused, more): [number, number] => [low, low + more + offset]),
  ).flat()
}

const { rows } = makeLog(20, 5)
const plain = checkpointOf(rows, 'acme')
const text = parseCheckpoint(plain)?.note.text ?? ''
const origin = chainOrigin(ORIGIN, 'acme')
const anchor = planPrune(crypto, {
  origin: ORIGIN,
  chain: 'acme',
  previous: null,
  rows,
  before: rows[7]?.createdAt ?? '',
  checkpointSize: 20,
  prunedAt: '2026-02-01T00:00:00.000Z',
})
if (anchor === null) throw new Error('seven events can be pruned')
const inLog = new StoredTree(crypto)
for (const row of rows) inLog.append(row.hash)
write('checkpoints', {
  description: 'keys, checkpoints, a cosignature, a proof file and an anchor; Ed25519 signatures are deterministic',
  keys: {
    log: { secret: formatSigningKey(logKey), public: formatVerifierKey(logKey) },
    witness: { secret: formatSigningKey(witnessKey), public: formatVerifierKey(witnessKey) },
  },
  origins: ['acme', '__no-org__', 'a b', 'a/b', 'a+b%', 'zoë'].map((chain) => ({
    chain,
    origin: chainOrigin(ORIGIN, chain),
  })),
  empty: signCheckpoint(crypto, { origin, size: 0, root: tree.root(0), head: null }, [logKey]),
  text: formatCheckpoint({ origin, size: 20, root: inLog.root(), head: rows[19]?.hash ?? '' }),
  signed: plain,
  cosigned: { time: 1_769_846_400, note: plain + signatureLine(crypto, text, witnessKey, 1_769_846_400) },
  tlogProof: {
    eventHash: rows[4]?.hash,
    file: formatTlogProof({ index: 4, path: inLog.inclusionProof(4) ?? [], checkpoint: plain }),
  },
  anchor: signAnchor(crypto, anchor, [logKey]),
  manifest: formatManifest({
    plumblineAuditBundle: 1,
    origin: ORIGIN,
    chain: 'acme',
    from: 1,
    to: 20,
    complete: true,
    head: { seq: 20, hash: rows[19]?.hash ?? '' },
    anchor: null,
    checkpoints: [plain],
    proofs: [],
    keys: [formatVerifierKey(logKey)],
    createdAt: '2026-02-01T00:00:00.000Z',
  }),
})

write('bundles', {
  description:
    'bundles (`file` is base 64 of the bytes) with the answer that a verifier gives, by the keys and kept checkpoints that its reader has; the numbers are those of the questions in docs/reference/audit-bundle.md',
  bundles: [...honestBundles(), ...questionBundles()],
})
