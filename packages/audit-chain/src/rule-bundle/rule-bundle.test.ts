/** Goal: what is evaluated of a bundle is what was signed, whatever its text says and however large it is. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crypto, logKey, ORIGIN, otherKey } from '../../test/support/fixture.js'
import { openRuleBundle, type RuleBundleContent, signRuleBundle } from './rule-bundle.js'

const NOW = Date.parse('2026-11-28T10:00:00.000Z')
const content = (more: object = {}): RuleBundleContent => ({
  orgId: 'acme',
  issuedAt: '2026-11-28T09:00:00.000Z',
  expiresAt: '2026-12-28T09:00:00.000Z',
  ...more,
})
const signed = (of: RuleBundleContent) => signRuleBundle(crypto, ORIGIN, of, [logKey])
/** As a program reads the text of a file. */
const open = (text: string) => openRuleBundle(crypto, JSON.parse(text), { keys: [logKey], nowMs: NOW })

describe('a bundle of rules', () => {
  it('opens with the key that signed it, and with no other', () => {
    const bundle = signed(content({ rules: [{ name: 'a' }] }))
    expect(open(JSON.stringify(bundle))).toEqual({ content: content({ rules: [{ name: 'a' }] }), origin: ORIGIN })
    expect(openRuleBundle(crypto, bundle, { keys: [otherKey], nowMs: NOW })).toMatchObject({
      problem: expect.stringMatching(/unknown_key|bad_signature/),
    })
  })

  it('gives the signed value where its text was written another way with the same signature', () => {
    const text = JSON.stringify(signed(content({ rules: [{ name: 'a', deletedAt: null }] })))
    const written = text.replace('"deletedAt":null', '"deletedAt":1e999')
    expect(written).not.toBe(text)
    expect(open(written)).toEqual(open(text))
  })

  it('is signed to its end, however large it is', () => {
    const rules = Array.from({ length: 3000 }, (_, n) => ({ name: `rule ${n}`, text: 'x'.repeat(1000) }))
    const text = JSON.stringify(signed(content({ rules, zz: { exemption: 'of one' } })))
    expect(text.length).toBeGreaterThan(2 ** 21)
    expect(open(text)).toMatchObject({ origin: ORIGIN })
    expect(open(text.replace('"of one"', '"of all"'))).toEqual({ problem: 'content_altered' })
  })

  it('never gives another value than the one that was signed', () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    fc.assert(
      fc.property(json, fc.string(), fc.nat(), (value, put, at) => {
        const text = JSON.stringify(signed(content({ value })))
        const place = at % text.length
        const altered = text.slice(0, place) + put + text.slice(place + 1)
        let parsed: unknown
        try {
          parsed = JSON.parse(altered)
        } catch {
          return
        }
        const opened = openRuleBundle(crypto, parsed, { keys: [logKey], nowMs: NOW })
        if ('content' in opened) expect(opened).toEqual(open(text))
      }),
      { numRuns: 500 },
    )
  })
})
