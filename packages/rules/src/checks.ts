/**
 * Conditions that many rules of the libraries share. Paths have no wildcard, so a rule that looks into a list names the
 * entries it reads; a rule of the standard library keeps the lists short enough for that.
 */
import type { Condition } from '@plumbline/engine'

/** Entries of `commands`, of `installCommands`, and stages that rules look at. */
export const READ_ENTRIES = 12
const READ_LINKS = 10
const READ_STAGES = 6
const READ_STEPS = 4

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

type CommandList = 'commands' | 'installCommands'

/** No command of one list has one of these texts in it, in either case. At most four texts: a rule has 50 conditions. */
export const noneHas = (list: CommandList, ...texts: readonly string[]): { readonly all: readonly Condition[] } => ({
  all: texts.flatMap((value) =>
    upTo(READ_ENTRIES).map((index) => ({ field: `${list}[${index}]`, operator: 'notContains' as const, value })),
  ),
})

/** The same for both lists; at most two texts. */
export const noCommandHas = (...texts: readonly string[]): { readonly all: readonly Condition[] } => ({
  all: [...noneHas('commands', ...texts).all, ...noneHas('installCommands', ...texts).all],
})

/** A text has none of these in it. */
export const lacks = (field: string, ...texts: readonly string[]): { readonly all: readonly Condition[] } => ({
  all: texts.map((value) => ({ field, operator: 'notContains' as const, value })),
})

/** A map has none of these keys, in either case. */
export const hasNoKey = (map: string, ...keys: readonly string[]): { readonly all: readonly Condition[] } =>
  lacks(`$keys(${map})`, ...keys)

/** One of the stages has a name like this; one entry each, for `any`. */
export const someStageNamed = (pattern: string): Condition[] =>
  upTo(READ_ENTRIES).map((index) => ({ field: `props.stages[${index}].stageName`, operator: 'regex', value: pattern }))

/** One of the links has a title that begins like this; one entry each, for `any`. */
export const someLinkTitled = (title: string): Condition[] =>
  upTo(READ_LINKS).map((index) => ({ field: `links[${index}].title`, operator: 'regex', value: `^${anyCase(title)}` }))

/** No step asks for a version of its plugin that moves. Both ways to name a version are read. */
export const stepVersionsAreNot = (version: string): { readonly all: readonly Condition[] } => ({
  all: upTo(READ_STAGES).flatMap((stage) =>
    upTo(READ_STEPS).flatMap((step) =>
      ['version', 'filter.version'].map((place) => ({
        field: `props.stages[${stage}].steps[${step}].plugin.${place}`,
        operator: 'neq' as const,
        value: version,
      })),
    ),
  ),
})

/** `[Rr]unbook`: people write the first letter either way. */
const anyCase = (word: string): string => {
  const first = word.charAt(0)
  return `[${first.toUpperCase()}${first.toLowerCase()}]${word.slice(1)}`
}

/* The left side of "if A then B", which a rule says as "not A, or B". */

export const notProduction: Condition = { field: 'lifecycle', operator: 'neq', value: 'production' }

/**
 * Neither `high` nor `critical`. Every new entity counts as production, so production alone is not a reason to block; who states
 * a high criticality has agreed to be asked for more.
 */
export const notCritical: Condition = { field: 'criticality', operator: 'notIn', value: ['high', 'critical'] }

export const noCardholderData: Condition = { field: 'labels.data-class', operator: 'neq', value: 'cardholder' }
