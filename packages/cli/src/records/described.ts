/**
 * What the API says about the request of an action: the values of a parameter or field, the sort fields of a list,
 * whether it takes an `Idempotency-Key`. `api-facts.ts` is generated from the description of the API, so the tables of
 * records do not repeat it.
 */

import { API_FACTS, type ApiFacts } from '../api-facts.js'
import { optionNames } from '../program/option-names.js'
import type { Action, Flag } from './resource.js'

const NONE: ApiFacts = {}

export const factsOf = ({ method, path }: Pick<Action, 'method' | 'path'>): ApiFacts =>
  API_FACTS[`${method} ${path}`] ?? NONE

/** The parameter or field that a flag is sent as. */
export const sentAs = (flag: Flag): string => flag.sends ?? optionNames(flag).key

/** Whether the value of a flag is sent unchanged. */
export const takesValue = ({ flags, isPairs, asList }: Flag): boolean =>
  flags.includes('<') && isPairs !== true && asList === undefined

/** Adds to each flag the values that the API accepts. A flag that lists its own values keeps them. */
export function withChoices(flags: readonly Flag[] | undefined, { choices = {} }: ApiFacts): readonly Flag[] {
  return (flags ?? []).map((flag) => {
    const known = flag.choices === undefined && takesValue(flag) ? choices[sentAs(flag)] : undefined
    return known === undefined ? flag : { ...flag, choices: known }
  })
}
