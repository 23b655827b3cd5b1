/**
 * Generates the code that reads the fields of a plan and decides their checks, slot by slot.
 *
 * Members are read by plain property access when the object's prototype is `Object.prototype` and has no enumerable
 * members; the code tests this first. In all other cases, and for names that every object inherits, only own properties
 * are looked up.
 */

import type { Plan } from '../compile/plan.js'
import type { Check } from '../operator/check.js'
import { checkExpression, SlotReadings } from './check-code.js'
import type { Constants } from './constants.js'
import { literal } from './literal.js'
import type { PatternSource } from './patterns.js'

/** The names that generated code uses for what an evaluation computes. */
export interface Names {
  value(slot: number): string
  check(index: number): string
  state(position: number): string
}

/** Keys that plain property access would find on the prototype. */
const isInherited = (key: string): boolean => key in Object.prototype

const isIndex = /^\d+$/

/** Returns statements that assign the value of a slot to its name. */
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

/** Returns statements for the checks of one slot, whose value is in the variable `value`. */
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

/** Text, by far the most frequent type, needs no reading; an absent value needs none either. */
function normalised(value: string): string {
  return `if (typeof ${value} !== 'string' && ${value} !== undefined) ${value} = read(${value})`
}
