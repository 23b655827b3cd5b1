import { describe, expect, it } from 'vitest'
import { checkpointOf, crypto, logKey, makeLog, ORIGIN, otherKey, witnessKey } from '../../test/support/fixture.js'
import { chainOrigin, parseCheckpoint } from '../checkpoint/checkpoint.js'
import { checkNote, signatureLine } from '../checkpoint/note.js'
import { StoredTree } from '../tree/stored-tree.js'
import { cosign, type WitnessedTree } from './cosign.js'
import { formatWitnessRequest, parseWitnessRequest } from './request.js'

const { rows, chain } = makeLog(30)
const fork = makeLog(30, 9).rows
const origin = chainOrigin(ORIGIN, chain)
const treeOf = (log: typeof rows) => {
  const tree = new StoredTree(crypto)
  for (const row of log) tree.append(row.hash)
  return tree
}
const tree = treeOf(rows)
const at = (size: number, log = rows, keys = [logKey]) => checkpointOf(log.slice(0, size), chain, keys)
const ask = (state: WitnessedTree | null, oldSize: number, checkpoint: string, proof: readonly string[] = []) =>
  cosign(crypto, {
    body: formatWitnessRequest({ oldSize, proof, checkpoint }),
    logs: new Map([[origin, [logKey]]]),
    last: () => state,
    key: witnessKey,
    now: 1_769_846_400,
  })
const state = (size: number): WitnessedTree => ({ size, root: tree.root(size) })

describe('a witness', () => {
  it('cosigns the first checkpoint of a log, and later ones with a proof', () => {
    const first = ask(null, 0, at(10))
    expect(first).toMatchObject({ status: 200, state: { origin, ...state(10) } })
    const note = parseCheckpoint(at(10) + first.body)?.note
    expect(note && checkNote(crypto, note, [witnessKey]).verified).toMatchObject([{ timestamp: 1_769_846_400 }])
    expect(ask(state(10), 10, at(30), tree.consistencyProof(10, 30) ?? [])).toMatchObject({
      status: 200,
      state: state(30),
    })
    expect(ask(state(10), 10, at(10))).toMatchObject({ status: 200, state: state(10) })
  })

  it('does not take the cosignature of another witness for the signature of the log', () => {
    const text = parseCheckpoint(at(10))?.note.text ?? ''
    const cosigned = `${text}\n${signatureLine(crypto, text, witnessKey, 1_769_846_400)}`
    const answer = cosign(crypto, {
      body: formatWitnessRequest({ oldSize: 0, proof: [], checkpoint: cosigned }),
      logs: new Map([[origin, [logKey, witnessKey]]]),
      last: () => null,
      key: witnessKey,
      now: 1_769_846_400,
    })
    expect(answer).toMatchObject({ status: 403, state: null })
  })

  it('answers a wrong old size with its own', () => {
    for (const old of [0, 5, 20])
      expect(ask(state(10), old, at(30))).toMatchObject({
        status: 409,
        body: '10\n',
        contentType: 'text/x.tlog.size',
        state: null,
      })
  })

  it('refuses a fork: same size, larger size, or a tree rolled back', () => {
    expect(ask(state(10), 10, at(10, fork))).toMatchObject({ status: 409, state: null })
    expect(ask(state(10), 10, at(30, fork), treeOf(fork).consistencyProof(10, 30) ?? [])).toMatchObject({
      status: 422,
      state: null,
    })
    expect(ask(state(30), 10, at(20), [])).toMatchObject({ status: 409, body: '30\n' })
    expect(ask(state(30), 30, at(20), [])).toMatchObject({ status: 400, state: null })
  })

  it('refuses a proof that is missing, longer, or sent where none belongs', () => {
    const proof = tree.consistencyProof(10, 30) ?? []
    expect(ask(state(10), 10, at(30), []).status).toBe(422)
    expect(ask(state(10), 10, at(30), [...proof, proof[0] ?? '']).status).toBe(422)
    expect(ask(null, 0, at(10), proof).status).toBe(422)
  })

  it('refuses logs and keys that it does not know, and what is not a request', () => {
    expect(ask(null, 0, at(10, rows, [otherKey])).status).toBe(403)
    expect(ask(null, 0, at(10).replace(/\n10\n/, '\n11\n')).status).toBe(403)
    expect(ask(null, 0, checkpointOf(rows, 'other')).status).toBe(404)
    const input = { logs: new Map(), last: () => null, key: witnessKey, now: 0 }
    for (const body of ['', 'old 01\n\n', 'old 1', `old -1\n\n${at(10)}`, `old 0\nAA==\n\n${at(10)}`]) {
      expect(cosign(crypto, { body, ...input }).status).toBe(400)
    }
  })

  it('takes no more than 63 hashes', () => {
    const body = (count: number) =>
      formatWitnessRequest({ oldSize: 1, proof: Array(count).fill(rows[0]?.hash), checkpoint: at(10) })
    expect(parseWitnessRequest(body(63))?.proof).toHaveLength(63)
    expect(parseWitnessRequest(body(64))).toBeNull()
  })
})
