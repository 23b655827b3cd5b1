/**
 * The result of checking a draft. Pipeline drafts go through the checks of a create, plugin drafts through those of an
 * upload.
 */
import { nearestWord } from '@plumbline/engine/words'
import type { TSchema } from 'typebox'
import Type, { type Static } from 'typebox'
import { DeferredRules } from '../../plugin/index.js'
import type { FieldIssue } from '../../runtime/errors.js'
import type { PrepareContext } from '../../runtime/operation/context.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import type { Turn } from '../provider/model.js'

export const Violations = Type.Array(
  Type.Unsafe<ComplianceViolation>({
    type: 'object',
    additionalProperties: true,
    description: 'A violation of a rule',
  }),
)
export const Compliance = strictObject({
  passed: Type.Boolean(),
  blocked: Type.Boolean({ description: 'Whether the rules would refuse the pipeline as it is' }),
  violations: Violations,
  warnings: Violations,
  deferredRules: Type.Optional(DeferredRules),
})
export type Compliance = Static<typeof Compliance>

export const Quota = nullable(
  strictObject(
    { available: Type.Boolean(), message: nullable(Type.String()) },
    { description: 'Null where no place is needed' },
  ),
)

export const Missing = strictObject({
  name: Type.String(),
  version: nullable(Type.String()),
  path: Type.String(),
  nearest: Type.Array(Type.String(), { description: 'Visible plugins with the nearest names' }),
})
export type Missing = Static<typeof Missing>

export interface Checked {
  /** Faults that have to be corrected; if there are any, the draft is not shown. */
  readonly faults: readonly FieldIssue[]
  /** Violations that block, as faults; the draft may be shown, marked as blocked. */
  readonly blocking: readonly FieldIssue[]
  /** The draft in the last event; null while there are faults. */
  readonly shown: Readonly<Record<string, unknown>> | null
  readonly compliance: Compliance | null
  readonly missing: readonly Missing[]
}

export const faulty = (faults: readonly FieldIssue[]): Checked => ({
  faults,
  blocking: [],
  shown: null,
  compliance: null,
  missing: [],
})

/** The kind of draft: its schema, the instructions for the model, and the check of the answer. */
export interface Subject {
  readonly kind: 'pipeline' | 'plugin'
  readonly schema: TSchema
  readonly schemaName: string
  readonly instructions: string
  readonly turns: readonly Turn[]
  /** @throws Refusal 503 when the rules cannot be evaluated; nothing is shown then. */
  check(context: PrepareContext, draft: unknown): Promise<Checked>
}

/** Violations that block, as faults. */
export const blockingOf = ({ violations }: Compliance): FieldIssue[] =>
  violations
    .filter(({ severity }) => severity !== 'warning')
    .map(({ field, ruleName, message }) => ({
      path: `/${String(field).replaceAll('.', '/')}`,
      message: `the rule ${ruleName} refuses it: ${message}`,
      code: 'rule',
    }))

const NEAREST_MAX = 3

/** The visible names that are most similar to an unknown one. */
export function nearestNames(name: string, visible: readonly string[]): string[] {
  const found = visible.filter((each) => each.includes(name) || name.includes(each)).slice(0, NEAREST_MAX)
  const left = new Set(visible.filter((each) => !found.includes(each)))
  while (found.length < NEAREST_MAX) {
    const next = nearestWord(name, left)
    if (next === null) break
    found.push(next)
    left.delete(next)
  }
  return found
}
