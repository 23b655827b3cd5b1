/**
 * Goal: a secret is found in a log wherever its text was split into pieces, and the cleaned text does not depend on the
 * splits. Method: texts with tokens of every form among control characters and long lines, split at random, and
 * compared with the unsplit text.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LINE_CHARS_MAX, logEnd, logStep } from './log-text.js'

function through(pieces: readonly string[]): string {
  let held = ''
  let kept = ''
  for (const piece of pieces) {
    const step = logStep(held, piece)
    kept += step.text
    held = step.held
  }
  return kept + logEnd(held)
}

function cutAt(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [...at, text.length].map((end, n) => text.slice(n === 0 ? 0 : at[n - 1], end))
}

const HIDDEN_PART = 'S3cretS3cretS3cretS3cretS3cret'
const FORMS = [
  `plp_${HIDDEN_PART}`,
  `Authorization: Bearer ${HIDDEN_PART}`,
  `authorization: basic ${HIDDEN_PART}==`,
  `https://user:${HIDDEN_PART}@registry.example/v2/`,
  `https://example.org/?token=${HIDDEN_PART}&x=1`,
  `eyJhbGciOiJIUzI1NiJ9.${HIDDEN_PART}.${HIDDEN_PART}`,
  `\u001b[31mplp_${HIDDEN_PART}\u001b[0m`,
  `plp_\u0000${HIDDEN_PART}`,
]
const noise = fc.constantFrom('', ' ', 'step 1\n', 'a\r\nb', '\r', '\u001b[2K', 'é😀', 'x'.repeat(9000), '\u0007', '\n')
const text = fc
  .array(fc.tuple(noise, fc.constantFrom(...FORMS), noise), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([before, secret, after]) => `${before} ${secret} ${after}`).join(''))

describe('the log of a build', () => {
  it('keeps no secret, and the same text wherever it was cut', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(50_000), { maxLength: 30 }), (whole, places) => {
        const kept = through(cutAt(whole, places))
        expect(kept).not.toContain(HIDDEN_PART)
        expect(kept).toBe(through([whole]))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(kept).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
      }),
      { numRuns: 300, seed: 20_261_123 },
    )
  })

  it('hides a token that lies across the longest line', () => {
    for (let before = LINE_CHARS_MAX - 60; before < LINE_CHARS_MAX + 5; before += 3) {
      const kept = through([`${'x '.repeat(before / 2)}plp_${HIDDEN_PART}${'y'.repeat(20_000)}\nnext\n`])
      expect(kept).not.toContain('S3cret')
      expect(kept.endsWith('… (line cut)\nnext\n')).toBe(true)
    }
  })

  it('holds a bounded part of a line that never ends', () => {
    let held = ''
    for (let n = 0; n < 200; n++) held = logStep(held, 'z'.repeat(10_000)).held
    expect(held.length).toBeLessThan(2 * LINE_CHARS_MAX)
  })
})
