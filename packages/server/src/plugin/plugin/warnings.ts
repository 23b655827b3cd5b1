/** Warnings in the answer to a successful request. */
import Type, { type Static } from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'

export const Warnings = Type.Array(strictObject({ code: Type.String(), message: Type.String() }))
export type Warning = Static<typeof Warnings>[number]

export const DeferredRules = Type.Array(strictObject({ ruleId: Type.String(), ruleName: Type.String() }), {
  description:
    'Rules about the built image: they are checked after the build, before the image is published. Absent when there is none',
})

export const ComplianceWarnings = Type.Array(
  Type.Unsafe<ComplianceViolation>({ type: 'object', description: 'A violation of a rule that does not block' }),
)
