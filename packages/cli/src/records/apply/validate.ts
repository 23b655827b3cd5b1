/** The warnings and notes of the server about a record, and its verdict on a draft that is not saved. */
import { NotDoneError } from '../../command.js'
import { issueText } from '../../remote/refusal.js'
import type { Session } from '../../remote/session.js'
import type { JsonObject } from '../resource.js'
import type { Kind } from './kinds.js'

export interface Remarks {
  /** Parts of the verdict: `ruleName`, `severity`, `field`, `message` and more. */
  readonly violations: readonly JsonObject[]
  readonly warnings: readonly JsonObject[]
  /** Other remarks, for example about a plugin that does not exist: `code`, `path`, `message`. */
  readonly notes: readonly JsonObject[]
}

/** The remarks in the answer to a change. */
export const remarksOf = (data: JsonObject): Pick<Remarks, 'warnings' | 'notes'> => ({
  warnings: listOf(data.complianceWarnings),
  notes: listOf(data.warnings),
})

export const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : [])

/** A draft that the server does not accept, although no rule blocks it. */
export class DraftProblems extends NotDoneError {
  /** @param issues `message` of each, and `path` (a JSON pointer into the request) where it is about a field. */
  constructor(readonly issues: readonly JsonObject[]) {
    super(issues.map((issue) => issueText(issue)).join('; '))
  }
}

type Verdict = Partial<Remarks> & { readonly action?: 'blocked' | 'failed'; readonly error?: Error }

/** Empty if the server cannot validate this kind without saving. */
export async function validate(kind: Kind, record: JsonObject, session: Session): Promise<Verdict> {
  if (kind.validatePath === undefined) return {}
  const { resource, fields, createOnly = [], updateOnly = [] } = kind
  const names = [...resource.key.fields, ...fields, ...createOnly].filter((field) => !updateOnly.includes(field))
  const { data } = await session.send<JsonObject>({
    method: 'POST',
    path: kind.validatePath,
    body: Object.fromEntries(names.flatMap((name) => (name in record ? [[name, record[name]]] : []))),
  })
  const { violations, warnings } = (data.compliance ?? {}) as JsonObject
  const remarks = {
    violations: listOf(violations).filter(({ severity }) => severity !== 'warning'),
    warnings: listOf(warnings),
    notes: listOf(data.warnings),
  }
  if (remarks.violations.length > 0) return { ...remarks, action: 'blocked' }
  const problems = problemsIn(data)
  return problems.length === 0 ? remarks : { ...remarks, action: 'failed', error: new DraftProblems(problems) }
}

function problemsIn({ issues, templateIssues, quota }: JsonObject): JsonObject[] {
  const found = [...listOf(issues), ...listOf(templateIssues)]
  const { available, message } = (quota ?? {}) as { available?: boolean; message?: string | null }
  return available === false ? [...found, { message: message ?? 'the quota is used up' }] : found
}
