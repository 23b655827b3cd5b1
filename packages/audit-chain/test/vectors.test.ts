/** The published test vectors: anyone who implements the format reads the same files. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { BundleVector } from '../proof/bundle-vectors.js'
import {
  anchorText,
  BundleVerifier,
  canonicalise,
  canonicalText,
  chainOrigin,
  checkAnchor,
  checkNote,
  checkTlogProof,
  coreText,
  genesis,
  identityText,
  nobleCrypto,
  normalise,
  parseCheckpoint,
  parseNote,
  parseSigningKey,
  parseTlogProof,
  parseVerifierKey,
  signatureLine,
  signNote,
  verifyConsistency,
  verifyInclusion,
  verifyLog,
} from '../src/index.js'
import { nodeCrypto } from '../src/node.js'
import { naiveConsistency, naivePath, naiveRoot } from './support/naive-tree.js'

const vectors = (name: string) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'))
const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

describe('canonical.json', () => {
  const { cases, numbers } = vectors('canonical') as {
    cases: { name: string; json: string; canonical: string }[]
    numbers: { ieee754: string; text: string }[]
  }
  it.each(cases)('$name', ({ json, canonical }) => {
    expect(canonicalise(JSON.parse(json))).toBe(canonical)
    expect(canonicalise(JSON.parse(canonical))).toBe(canonical)
  })

  it('numbers of RFC 8785, Appendix B', () => {
    expect(numbers).toHaveLength(24)
    for (const { ieee754, text } of numbers) {
      const value = Buffer.from(ieee754, 'hex').readDoubleBE()
      expect(canonicalise(value)).toBe(text)
    }
  })
})

describe.each([
  ['node', nodeCrypto],
  ['noble', nobleCrypto],
])('bundles.json on %s', (_name, crypto) => {
  const { bundles } = vectors('bundles') as { bundles: BundleVector[] }
  it.each(bundles)('$name', ({ file, keys, checkpoints, verdict, why, brokenSeq, coveredThrough }) => {
    const known = keys.flatMap((key) => parseVerifierKey(crypto, key) ?? [])
    const verifier = new BundleVerifier(crypto, { keys: known, checkpoints })
    const lines = Buffer.from(file, 'base64').toString('utf8').split('\n')
    for (const [index, line] of lines.entries()) verifier.pushLine(line, index === lines.length - 1)
    const report = verifier.finish()
    expect({
      verdict: report.verdict,
      why: report.reason ?? report.cannotTell ?? null,
      brokenSeq: report.brokenSeq ?? null,
      coveredThrough: report.verdict === 'valid' ? report.coveredThrough : null,
    }).toEqual({ verdict, why, brokenSeq, coveredThrough })
  })
})

describe.each([
  ['node', nodeCrypto],
  ['noble', nobleCrypto],
])('on %s', (_name, crypto) => {
  it('events.json', () => {
    const { genesis: chains, events } = vectors('events')
    for (const { chain, hash } of chains) {
      expect(genesis(crypto, chain)).toBe(hash)
      expect(sha256('plumbline-audit-genesis-v1\n', chain)).toBe(hash)
    }
    for (const { identityText: identity, coreText: core, record } of events) {
      const { hash, actorEmail, ip, userAgent, identitySalt, details, detailsSalt, ...coreFields } = record
      // The texts as the general canonicaliser makes them, the hashes from their definition.
      expect(identityText(record)).toBe(identity)
      expect(canonicalText(normalise({ actorEmail, ip, userAgent }))).toBe(identity)
      expect(coreText(record)).toBe(core)
      expect(canonicalText(normalise(coreFields))).toBe(core)
      expect(sha256('plumbline-audit-identity-v1\n', Buffer.from(identitySalt, 'hex'), identity)).toBe(
        record.identityHash,
      )
      if (details !== null) {
        expect(sha256('plumbline-audit-details-v1\n', Buffer.from(detailsSalt, 'hex'), details)).toBe(
          record.detailsHash,
        )
      }
      expect(sha256('plumbline-audit-event-v1\n', core)).toBe(hash)
    }
    const report = verifyLog(
      crypto,
      events.map(({ record }: { record: unknown }) => record),
    )
    expect(report).toMatchObject({ verdict: 'cannot-tell', cannotTell: 'no_checkpoint', count: events.length })
  })

  it('trees.json and proofs.json', () => {
    const { leaves, roots } = vectors('trees') as { leaves: string[]; roots: { size: number; root: string }[] }
    const { inclusion, consistency } = vectors('proofs')
    const bytes = leaves.map((leaf) => Buffer.from(leaf, 'hex'))
    const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))
    const rootOf = (size: number) => roots[size]?.root ?? ''
    for (const { size, root } of roots) expect(naiveRoot(bytes.slice(0, size)).toString('hex')).toBe(root)
    expect(inclusion).toHaveLength((17 * 18) / 2)
    for (const { index, size, proof } of inclusion) {
      expect(proof).toEqual(hex(naivePath(index, bytes.slice(0, size))))
      expect(verifyInclusion(crypto, { eventHash: leaves[index] ?? '', index, size, root: rootOf(size), proof })).toBe(
        true,
      )
    }
    expect(consistency).toHaveLength((18 * 19) / 2)
    for (const { first, second, proof } of consistency) {
      expect(proof).toEqual(hex(naiveConsistency(first, bytes.slice(0, second))))
      const claim = { first, firstRoot: rootOf(first), second, secondRoot: rootOf(second), proof }
      expect(verifyConsistency(crypto, claim)).toBe(true)
    }
  })

  it('checkpoints.json', () => {
    const { keys, origins, empty, text, signed, cosigned, tlogProof, anchor } = vectors('checkpoints')
    const log = parseSigningKey(crypto, keys.log.secret)
    const witness = parseSigningKey(crypto, keys.witness.secret)
    const known = [keys.log.public, keys.witness.public].flatMap((key: string) => parseVerifierKey(crypto, key) ?? [])
    if (log === null || witness === null || known.length !== 2) throw new Error('the keys must parse')
    for (const { chain, origin } of origins) expect(chainOrigin('audit.example.com', chain)).toBe(origin)
    expect(parseCheckpoint(empty)).toMatchObject({ size: 0, root: sha256(''), head: null })
    expect(signNote(crypto, text, [log])).toBe(signed)
    expect(signed + signatureLine(crypto, text, witness, cosigned.time)).toBe(cosigned.note)
    const note = parseNote(cosigned.note)
    expect(note && checkNote(crypto, note, known).verified.map(({ timestamp }) => timestamp)).toEqual([
      null,
      cosigned.time,
    ])
    const proof = parseTlogProof(tlogProof.file)
    expect(proof && checkTlogProof(crypto, proof, tlogProof.eventHash)).toMatchObject({
      included: true,
      checkpoint: { size: 20 },
    })
    expect(anchorText(anchor)).toMatch(/^plumbline-audit-anchor-v1\naudit\.example\.com\/acme\n7\n/)
    expect(checkAnchor(crypto, anchor, known)?.verified).toHaveLength(1)
    expect(checkAnchor(crypto, { ...anchor, prunedAt: '2026-02-02T00:00:00.000Z' }, known)?.failed).toHaveLength(1)
  })
})
