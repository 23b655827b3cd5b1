/**
 * Conditions that many rules of the libraries share. Field paths have no wildcard, so a rule about a list names each
 * entry that it reads. A rule of the standard library limits the length of these lists.
 */
import type { Condition } from '@plumbline/engine'

/** How many entries of `commands`, `installCommands` and stages the rules read. */
export const READ_ENTRIES = 12
const READ_LINKS = 10
const READ_STAGES = 6
const READ_STEPS = 4

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

type CommandList = 'commands' | 'installCommands'

/**
 * No command of the list contains one of these texts, in upper or lower case. At most four texts, because a rule can
 * have 50 conditions.
 */
export const noneHas = (list: CommandList, ...texts: readonly string[]): { readonly all: readonly Condition[] } => ({
  all: texts.flatMap((value) =>
    upTo(READ_ENTRIES).map((index) => ({ field: `${list}[${index}]`, operator: 'notContains' as const, value })),
  ),
})

/** The same for both lists of commands, with at most two texts. */
export const noCommandHas = (...texts: readonly string[]): { readonly all: readonly Condition[] } => ({
  all: [...noneHas('commands', ...texts).all, ...noneHas('installCommands', ...texts).all],
})

/** The text contains none of these. */
export const lacks = (field: string, ...texts: readonly string[]): { readonly all: readonly Condition[] } => ({
  all: texts.map((value) => ({ field, operator: 'notContains' as const, value })),
})

/** The map has none of these keys, in upper or lower case. */
export const hasNoKey = (map: string, ...keys: readonly string[]): { readonly all: readonly Condition[] } =>
  lacks(`$keys(${map})`, ...keys)

/** One of the stages has a name that matches one of the patterns. Returns a condition per stage and pattern, for `any`. */
export const someStageNamed = (...patterns: readonly string[]): Condition[] =>
  patterns.flatMap((value) =>
    upTo(READ_ENTRIES).map((index) => ({
      field: `props.stages[${index}].stageName`,
      operator: 'regex' as const,
      value,
    })),
  )

/** Names of stages that test. "Latest" and "Invalidate" are not among them. */
export const TEST_STAGE = '(^|[^Ll]a|[^a])test|Test|(^|[^L]A|[^A])TEST|[Vv]erif|(^|[^n])validat|Validat|[Qq]uality'

/**
 * The image has a tag that does not begin with `latest`, or a digest, whose hexadecimal digits follow a colon as well.
 * An image without a tag is `latest` to every registry. A colon before the last slash begins a port and not a tag.
 * `scratch` is an empty base without a tag.
 */
export const imageIsFixed: { readonly any: readonly Condition[] } = {
  any: [
    { field: 'baseImage', operator: 'notExists' },
    { field: 'baseImage', operator: 'eq', value: 'scratch' },
    {
      field: 'baseImage',
      operator: 'regex',
      value: ':([^/:l]|l[^/:a]|la[^/:t]|lat[^/:e]|late[^/:s]|lates[^/:t])[^/]*$',
    },
  ],
}

/** One of the links has a title that begins with this text. Returns one condition per link, for `any`. */
export const someLinkTitled = (title: string): Condition[] =>
  upTo(READ_LINKS).map((index) => ({ field: `links[${index}].title`, operator: 'regex', value: `^${anyCase(title)}` }))

/** No step uses this moving version of its plugin. Reads both places where a step can name a version. */
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

/** `[Rr]unbook`: authors write the first letter in upper or lower case. */
const anyCase = (word: string): string => {
  const first = word.charAt(0)
  return `[${first.toUpperCase()}${first.toLowerCase()}]${word.slice(1)}`
}

/* The left side of "if A then B", which a rule expresses as "not A, or B". */

export const notProduction: Condition = { field: 'lifecycle', operator: 'neq', value: 'production' }

/**
 * Neither `high` nor `critical`. Every new entity counts as production, so production alone is not a reason to block.
 * An author who states a high criticality has agreed to stricter rules.
 */
export const notCritical: Condition = { field: 'criticality', operator: 'notIn', value: ['high', 'critical'] }

export const noCardholderData: Condition = { field: 'labels.data-class', operator: 'neq', value: 'cardholder' }
