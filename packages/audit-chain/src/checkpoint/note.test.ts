import { describe, expect, it } from 'vitest'
import { crypto, logKey, otherKey, witnessKey } from '../../test/support/fixture.js'
import { nobleCrypto } from '../crypto/noble.js'
import { fromBase64, toBase64 } from '../encoding/base64.js'
import { formatSigningKey, formatVerifierKey, parseSigningKey, parseVerifierKey } from './key.js'
import { checkNote, parseNote, signatureLine, signNote } from './note.js'

/** The example of Go's golang.org/x/mod/sumdb/note, which any implementation of signed notes must reproduce. */
const VKEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const SKEY = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz'
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
const NOTE = `${TEXT}\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`

describe.each([
  ['node', crypto],
  ['noble', nobleCrypto],
])('signed notes on %s', (_name, port) => {
  it('reproduce the published example', () => {
    const key = parseSigningKey(port, SKEY)
    const known = parseVerifierKey(port, VKEY)
    if (key === null || known === null) throw new Error('the published keys must parse')
    expect(signNote(port, TEXT, [key])).toBe(NOTE)
    const note = parseNote(NOTE)
    expect(note?.text).toBe(TEXT)
    expect(note && checkNote(port, note, [known])).toMatchObject({
      verified: [{ timestamp: null }],
      failed: [],
      unknown: [],
    })
    expect(formatSigningKey(key)).toBe(SKEY)
    expect(formatVerifierKey(known)).toBe(VKEY)
  })

  it('give the published id to the key of the Go checksum database', () => {
    const text = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'
    expect(parseVerifierKey(port, text)?.id).toBe('033de0ae')
    expect(parseVerifierKey(port, text.replace('033de0ae', '033de0af'))).toBeNull()
  })

  it('tell a forged signature of a known key from one of an unknown key', () => {
    const note = parseNote(NOTE.replace('problem,', 'problems,'))
    const known = parseVerifierKey(port, VKEY)
    if (note === null || known === null) throw new Error('must parse')
    expect(checkNote(port, note, [known])).toMatchObject({ verified: [], failed: [{ name: 'PeterNeumann' }] })
    expect(checkNote(port, note, [logKey]).unknown).toHaveLength(1)
  })

  it('verify the signature of every key after a rotation, and a cosignature with its time', () => {
    const text = 'a log\n1\n'
    const signed = signNote(port, text, [logKey, otherKey]) + signatureLine(port, text, witnessKey, 1_769_846_400)
    const note = parseNote(signed)
    if (note === null) throw new Error('must parse')
    const check = checkNote(port, note, [logKey, otherKey, witnessKey])
    expect(check.verified.map(({ timestamp }) => timestamp)).toEqual([null, null, 1_769_846_400])
    // Another time is another message: the same bytes do not verify.
    const line = note.signatures[2]?.line ?? ''
    const bytes = fromBase64(line.slice(line.lastIndexOf(' ') + 1))
    if (bytes === null) throw new Error('must decode')
    bytes[11] = (bytes[11] ?? 0) ^ 1
    const later = parseNote(signed.replace(line, `\u2014 ${witnessKey.name} ${toBase64(bytes)}`))
    expect(later && checkNote(port, later, [witnessKey]).failed).toHaveLength(1)
  })
})

describe('parsing a note', () => {
  it.each([
    ['no signature', 'text\n'],
    ['no empty line', 'text\n\u2014 a AAAAAAA=\n'],
    ['no final newline', NOTE.slice(0, -1)],
    ['a control character', NOTE.replace('think', 'think\t')],
    ['a carriage return', NOTE.replace('\n', '\r\n')],
    ['a hyphen for the dash', NOTE.replace('\u2014', '-')],
    ['a name with a plus', NOTE.replace('PeterNeumann', 'Peter+Neumann')],
    ['base 64 without padding', NOTE.replace('nAM=', 'nAM')],
    ['base 64 with stray bits', NOTE.replace('nAM=', 'nAN=')],
  ])('refuses %s', (_what, text) => {
    expect(parseNote(text)).toBeNull()
  })

  it('refuses more signatures than anyone needs', () => {
    const line = NOTE.slice(NOTE.indexOf('\u2014'))
    expect(parseNote(`text\n\n${line.repeat(100)}`)).not.toBeNull()
    expect(parseNote(`text\n\n${line.repeat(101)}`)).toBeNull()
  })
})
