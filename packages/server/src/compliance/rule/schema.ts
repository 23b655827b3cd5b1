/** The fields of a rule in the API. The engine decides which combinations are valid (`validateRule`). */
import { type OperatorName, operators } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { nameOfAnyLength } from '../../runtime/operation/name.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'

export const TARGETS = ['plugin', 'pipeline'] as const
export const SEVERITIES = ['warning', 'error', 'critical'] as const
export const SCOPES = ['org', 'published'] as const
export const MODES = ['enforce', 'warn', 'observe'] as const
export type Mode = (typeof MODES)[number]
export const OPERATORS: readonly OperatorName[] = operators.map(({ name }) => name)

export const Target = Type.Enum([...TARGETS])
export const Severity = Type.Enum([...SEVERITIES])
export const Modes = Type.Enum([...MODES], {
  description:
    'Rollout: `enforce` as declared, `warn` never blocks, `observe` is listed separately and notifies nobody',
})

const Field = Type.String({ description: 'A path such as `labels["team.name"]` or `$count(secrets)`' })
const Value = Type.Unknown({ description: 'What the attribute is compared with; its type depends on the operator' })

export const ConditionBody = strictObject({
  field: Type.Optional(Field),
  operator: Type.Optional(Type.Enum([...OPERATORS])),
  value: Type.Optional(Value),
  dependsOnRule: Type.Optional(nameOfAnyLength('Id of the rule that must have passed, or its name')),
})

/** Fields that an author may change later. */
const changeable = {
  description: Type.Optional(nullable(Type.String({ description: 'Why the rule exists, and how to satisfy it' }))),
  severity: Type.Optional(Severity),
  priority: Type.Optional(Type.Integer({ description: '0 to 10000; higher is evaluated first' })),
  field: Type.Optional(nullable(Field)),
  operator: Type.Optional(nullable(Type.Enum([...OPERATORS]))),
  value: Type.Optional(Value),
  conditions: Type.Optional(nullable(Type.Array(ConditionBody, { maxItems: 1000 }))),
  conditionMode: Type.Optional(nullable(Type.Enum(['all', 'any']))),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  propagateToChildren: Type.Optional(
    Type.Boolean({ description: 'The rule applies to the teams of the organization too' }),
  ),
  policyId: Type.Optional(nullable(Uuid)),
  isActive: Type.Optional(Type.Boolean()),
  suppressNotification: Type.Optional(Type.Boolean()),
  mode: Type.Optional(Modes),
  effectiveFrom: Type.Optional(nullable(Type.String({ description: 'ISO 8601 with `Z` or an offset' }))),
  effectiveUntil: Type.Optional(nullable(Type.String({ description: 'ISO 8601 with `Z` or an offset; inclusive' }))),
}

export const RuleDraft = strictObject(
  {
    name: nameOfAnyLength(),
    target: Target,
    scope: Type.Optional(Type.Enum([...SCOPES])),
    isTemplate: Type.Optional(Type.Boolean({ description: 'For the system organization: a rule to copy' })),
    ...changeable,
  },
  {
    examples: [
      {
        name: 'plugin-says-what-it-does',
        target: 'plugin',
        severity: 'warning',
        field: 'description',
        operator: 'notEmpty',
      },
    ],
  },
)
export type RuleDraft = Static<typeof RuleDraft>

/** Target, scope and `isTemplate` may be sent unchanged; another value is refused. */
export const RulePatch = strictObject(
  {
    name: Type.Optional(nameOfAnyLength()),
    target: Type.Optional(Target),
    scope: Type.Optional(Type.Enum([...SCOPES])),
    isTemplate: Type.Optional(Type.Boolean()),
    ...changeable,
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'The reason; required when `mode` leaves `enforce`' }),
    ),
  },
  { minProperties: 1 },
)
export type RulePatch = Static<typeof RulePatch>

const LINE = '\n'

/** Words with a line feed before and after each, so that a search for one word never matches a part of another. */
export const ruleText = (words: readonly string[]): string =>
  words.length === 0 ? '' : `${LINE}${words.map(plainWord).join(LINE)}${LINE}`

/** One word as it appears in such a text. */
export const wordInText = (word: string): string => `${LINE}${plainWord(word)}${LINE}`

const plainWord = (word: string): string => word.replaceAll(LINE, ' ')
