import { describe, expect, it } from 'vitest'
import { crypto, logKey, Random } from '../../test/support/fixture.js'
import { EMPTY_ROOT } from '../tree/node-hash.js'
import { chainOrigin, isOriginOf, parseCheckpoint, parseCheckpointText, signCheckpoint } from './checkpoint.js'
import { chainHeadHash, directoryCheckpoint } from './directory.js'
import { parseTlogProof } from './tlog-proof.js'

const root = new Random(1).hash()
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`
const rootLine = Buffer.from(root, 'hex').toString('base64')

describe('a checkpoint', () => {
  it('comes back as it was signed', () => {
    const checkpoint = { origin: 'a/b', size: 7, root, head: root }
    expect(parseCheckpoint(signCheckpoint(crypto, checkpoint, [logKey]))).toMatchObject(checkpoint)
    expect(() => signCheckpoint(crypto, { ...checkpoint, origin: 'a\nb' }, [logKey])).toThrow(/origin/)
  })

  it('of other logs may have extension lines that we do not know', () => {
    expect(parseCheckpointText(text(['o', '7', rootLine, 'something else']))).toMatchObject({ size: 7, head: null })
  })

  it.each([
    ['a size with a leading zero', ['o', '07', rootLine]],
    ['a negative size', ['o', '-7', rootLine]],
    ['a size that no number holds', ['o', '9999999999999999', rootLine]],
    ['no origin', ['', '7', rootLine]],
    ['a short root', ['o', '7', 'AAAA']],
    ['a missing root', ['o', '7']],
    ['an empty extension line', ['o', '7', rootLine, '', 'x']],
    ['a head that is not a hash', ['o', '7', rootLine, 'head x']],
  ])('is refused with %s', (_what, lines) => {
    expect(parseCheckpointText(text(lines))).toBeNull()
  })

  it('names its chain without ambiguity', () => {
    expect(chainOrigin('a/b', 'c')).not.toBe(chainOrigin('a', 'b/c'))
    expect(isOriginOf('audit.example.com/acme', 'acme')).toBe(true)
    expect(isOriginOf('audit.example.com/big-acme', 'acme')).toBe(false)
  })
})

describe('the directory of chains', () => {
  const heads = ['b', 'a'].map((chain) => ({ chain, seq: 1, hash: root }))
  it('has one leaf a chain, in the order of their names', () => {
    const { size, root: directory, origin } = directoryCheckpoint(crypto, 'o', heads)
    expect({ size, origin }).toEqual({ size: 2, origin: 'o/chains' })
    expect(directoryCheckpoint(crypto, 'o', [...heads].reverse()).root).toBe(directory)
    expect(directoryCheckpoint(crypto, 'o', heads.slice(1)).root).not.toBe(directory)
    expect(directoryCheckpoint(crypto, 'o', []).root).toBe(EMPTY_ROOT)
    expect(chainHeadHash(crypto, { chain: 'a', seq: 1, hash: root })).not.toBe(
      chainHeadHash(crypto, { chain: 'a', seq: 2, hash: root }),
    )
    expect(() => directoryCheckpoint(crypto, 'o', [...heads, ...heads])).toThrow(/twice/)
  })
})

describe('a proof file', () => {
  it.each([
    '',
    'c2sp.org/tlog-proof@v2\nindex 0\n\nx',
    'c2sp.org/tlog-proof@v1\nindex 01\n\nx',
    'c2sp.org/tlog-proof@v1\nindex 0\nAA==\n\nx',
  ])('refuses %j', (file) => {
    expect(parseTlogProof(file)).toBeNull()
  })
  it('skips extra data, which nothing authenticates', () => {
    expect(parseTlogProof('c2sp.org/tlog-proof@v1\nextra AAAA\nindex 3\n\nx')).toEqual({
      index: 3,
      path: [],
      checkpoint: 'x',
    })
  })
})
