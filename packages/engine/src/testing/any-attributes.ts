/** Arbitrary attributes, biased toward the fields that rules read and toward values at the borders of their checks. */

import fc, { type Arbitrary } from 'fast-check'
import { buildEntity, placeValue, type ReadPlace, readPlaces } from '../domain/candidates.js'
import { literalsOf } from '../domain/formula.js'
import { modelRules } from '../domain/rule-model.js'
import type { Attributes, Rule } from '../types.js'

const edgeText = fc.constantFrom(
  '',
  ' ',
  '0',
  'false',
  'null',
  'x',
  'X',
  '1e3',
  '\n',
  'a\nb',
  '\u0130',
  '\ud800',
  '__proto__',
)
const edgeNumber = fc.constantFrom(
  0,
  -0,
  1,
  -1,
  0.1,
  1e21,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_VALUE,
  -Number.MAX_VALUE,
)
const leaf = fc.oneof(edgeText, edgeNumber, fc.boolean(), fc.constant(null), fc.string({ maxLength: 12 }), fc.integer())

/** Any JSON value; its leaves include edge values. */
const anyJson: Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('x', 'length', '0', 'constructor'), fc.string({ maxLength: 4 })),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
  ),
})).value

/** The places that these rules read, gates included. Each has the values that tell its checks apart. */
export const placesRead = (rules: readonly Rule[]): ReadPlace[] => {
  const model = modelRules(rules)
  return readPlaces(model.rules.flatMap((rule) => literalsOf([rule.applies, rule.passes, rule.violated])))
}

/**
 * Generates attributes of an entity. With rules, two of three entities are built from the fields that the rules read
 * and from values at the borders of their checks. The third, and every entity without rules, is any JSON object.
 */
export const anyAttributes = (rules: readonly Rule[] = []): Arbitrary<Attributes> => {
  const noise = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), anyJson, { maxKeys: 5 }) as Arbitrary<Attributes>
  const places = placesRead(rules)
  if (places.length === 0) return noise
  const bordered = chosenEntity(places)
  const wild = fc
    .tuple(noise, fc.array(fc.tuple(fc.constantFrom(...places), anyJson), { maxLength: 4 }))
    .map(([entity, pairs]): Attributes => {
      const filled: { [key: string]: unknown } = { ...entity }
      for (const [{ segments }, value] of pairs) placeValue(filled, segments, value, true)
      return filled
    })
  return fc.oneof({ weight: 2, arbitrary: bordered }, wild)
}

/** Chooses one value for each place; shrinks toward absent values. */
const chosenEntity = (places: readonly ReadPlace[]): Arbitrary<Attributes> =>
  fc.array(fc.nat({ max: 0xffff }), { minLength: places.length + 1, maxLength: places.length + 1 }).map((choices) => {
    let at = 0
    return buildEntity(places, (below) => {
      const choice = choices[at % choices.length] ?? 0
      at += 1
      return choice % below
    })
  })
