/**
 * Reading the fields of a plan and deciding their checks, slot by slot.
 *
 * Members are read by plain access where the object's prototype is `Object.prototype` and nothing enumerable sits on it,
 * which is looked at first; everywhere else, and for names that every object inherits, by own look-up.
 */

import type { Plan } from '../compile/plan.js'
import type { Check } from '../operator/check.js'
import { checkExpression, SlotReadings } from './check-code.js'
import type { Constants } from './constants.js'
import { literal } from './literal.js'
import type { PatternSource } from './patterns.js'

/** How generated code refers to what an evaluation computes. */
export interface Names {
  value(slot: number): string
  check(index: number): string
  state(position: number): string
}

/** Members that plain access could find on the prototype. */
const isInherited = (key: string): boolean => key in Object.prototype

const isIndex = /^\d+$/

/** Statements that leave the value of a slot at its name. */
export function valueCode(plan: Plan, slot: number, names: Names): string[] {
  const field = plan.slots[slot]
  if (field === undefined) return []
  const value = names.value(slot)
  if (field.parent === -1) return rootCode(field.key, value)
  const parent = names.value(field.parent)
  if (field.call !== null) return [`${value} = computed.${field.call}(${parent})`]
  const key = literal(field.key)
  const stepped = `stepInto(${parent}, ${key})`
  if (isIndex.test(field.key) || field.key === 'length' || isInherited(field.key)) return [`${value} = ${stepped}`]
  const isPlain = `isClean && Object.getPrototypeOf(${parent}) === objectPrototype`
  return [
    `if (typeof ${parent} !== 'object') ${value} = undefined`,
    `else if (${isPlain}) { ${value} = ${parent}[${key}]; ${normalised(value)} }`,
    `else ${value} = ${stepped}`,
  ]
}

/** Statements for checks of one slot, whose value stands in the variable `value`. */
export function checksCode(
  slot: number,
  value: string,
  checks: readonly Check[],
  names: Names,
  constants: Constants,
  patternOf: (text: string) => PatternSource | null,
): string[] {
  const readings = new SlotReadings(slot, value)
  const results = checks.map((check) => {
    const pattern = check.pattern === null ? null : patternOf(check.text)
    return `${names.check(check.index)} = ${checkExpression(check, readings, constants, pattern)}`
  })
  return [...readings.lines, ...results]
}

function rootCode(key: string, value: string): string[] {
  const name = literal(key)
  if (isInherited(key)) return [`${value} = rootMember(attributes, ${name})`]
  return [
    `if (isPlain) { ${value} = attributes[${name}]; ${normalised(value)} } else ${value} = rootMember(attributes, ${name})`,
  ]
}

/** Text, by far the most frequent, needs no reading; absent needs none either. */
function normalised(value: string): string {
  return `if (typeof ${value} !== 'string' && ${value} !== undefined) ${value} = read(${value})`
}
