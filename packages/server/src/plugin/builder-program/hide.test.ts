/**
 * Hiding values in logs, compared with an independent oracle: of each form of a value it knows the part that the value
 * alone determines, and searches for it in everything that was sent. `PLUMBLINE_CUTS=100000` is the full size.
 */
import { expect, it } from 'vitest'
import { createHider, formsOf } from './hide.js'

const TEXTS = Number(process.env.PLUMBLINE_CUTS ?? 3000)
const ENCODINGS = ['base64', 'base64url', 'hex'] as const
const NOISE = ['', '\n', 'step 1\n', 'x', ' '.repeat(50), 'é\n', '[hidden]', 'a'.repeat(90), '%2', '=', 'LS0tL']

type Dice = (below: number) => number
/** A random generator (mulberry32). */
function diceOf(seed: number): Dice {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=_-.!$& ?%\\"é'
const word = (dice: Dice, length: number): string =>
  Array.from({ length }, () => ALPHABET[dice(ALPHABET.length)]).join('')
/** Sometimes with several lines, as keys have. */
const anyValue = (dice: Dice): string =>
  dice(4) === 0
    ? Array.from({ length: 2 + dice(3) }, () => word(dice, 20 + dice(30))).join('\n')
    : word(dice, 10 + dice(40))

interface Printed {
  readonly text: string
  /** The part of the value that must never be visible. */
  readonly part: string
}

/** The longest part that both texts share: the value alone determines it, whatever surrounds it. */
function decided(first: string, second: string): string {
  let best = ''
  for (let at = 0; at < first.length; at++) {
    let length = 0
    while (at + length < first.length && first[at + length] === second[at + length]) length += 1
    if (length > best.length) best = first.slice(at, at + length)
  }
  return best
}

function printed(value: string, dice: Dice): Printed {
  const form = dice(6)
  if (form === 0) return { text: value, part: value }
  if (form === 1) return { text: encodeURIComponent(value), part: encodeURIComponent(value) }
  if (form === 2) {
    const lines = value.split('\n')
    const line = lines[dice(lines.length)] ?? ''
    // A short line may be an ordinary word of a log.
    return { text: line, part: line.length >= 16 ? line : value }
  }
  const encoding = ENCODINGS[form - 3] ?? 'hex'
  const before = dice(4)
  const around = (char: string) => Buffer.from(`${char.repeat(before)}${value}${char.repeat(3)}`).toString(encoding)
  return { text: around('u'), part: decided(around('u'), around('Z')) }
}

/** Sends a text in pieces of any size, through a window of any size. */
function sent(values: readonly string[], text: string, dice: Dice): string {
  const hider = createHider(values)
  const most = 20 + dice(400)
  let out = ''
  for (let at = 0; at < text.length; ) {
    const size = 1 + dice(dice(3) === 0 ? 200 : 12)
    hider.add(text.slice(at, at + size))
    at += size
    if (dice(2) === 0) out += hider.take(most, false)
  }
  while (hider.held !== '') out += hider.take(most, true)
  return out
}

it('never shows a value in any form, wherever what a build printed was cut', () => {
  const dice = diceOf(20_261_127)
  for (let n = 0; n < TEXTS; n++) {
    const values = Array.from({ length: 1 + dice(3) }, () => anyValue(dice))
    const pieces = Array.from({ length: 1 + dice(4) }, () => printed(values[dice(values.length)] ?? '', dice))
    const text = pieces.map((piece) => `${NOISE[dice(NOISE.length)]}${piece.text}${NOISE[dice(NOISE.length)]}`).join('')
    const out = sent(values, text, dice)
    const seen = pieces.filter(({ part }) => out.includes(part))
    expect(seen, `${n}: ${JSON.stringify({ values, text, out })}`).toEqual([])
  }
})

it('changes nothing else: what has no value of the build comes out as it was', () => {
  const dice = diceOf(4)
  for (let n = 0; n < TEXTS / 10; n++) {
    const text = Array.from({ length: 1 + dice(20) }, () => NOISE[dice(NOISE.length)]).join('')
    expect(sent([anyValue(dice), anyValue(dice)], text, dice)).toBe(text)
  }
})

it('knows what a build prints by accident', () => {
  const value = 's3cret-Value/with+signs'
  const forms = formsOf(value)
  for (const before of ['', 'a', 'ab']) {
    for (const encoding of ENCODINGS) {
      const text = Buffer.from(`${before}${value}tail`).toString(encoding)
      expect([encoding, before, forms.some((form) => text.includes(form))]).toEqual([encoding, before, true])
    }
  }
  expect(forms).toContain(encodeURIComponent(value))
})
