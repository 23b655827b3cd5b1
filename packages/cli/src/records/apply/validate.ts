/** What the server remarks about a record, and what it would say to a draft that is not saved. */
import { NotDoneError } from '../../command.js'
import type { Session } from '../../remote/session.js'
import type { JsonObject } from '../resource.js'
import type { Kind } from './kinds.js'

export interface Remarks {
  /** Of the verdict: `ruleName`, `severity`, `field`, `message` and more. */
  readonly violations: readonly JsonObject[]
  readonly warnings: readonly JsonObject[]
  /** What else there is to say, such as a plugin that is not there: `code`, `path`, `message`. */
  readonly notes: readonly JsonObject[]
}

/** Of an answer to a change. */
export const remarksOf = (data: JsonObject): Pick<Remarks, 'warnings' | 'notes'> => ({
  warnings: listOf(data.complianceWarnings),
  notes: listOf(data.warnings),
})

export const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : [])

type Verdict = Partial<Remarks> & { readonly action?: 'blocked' | 'failed'; readonly error?: Error }

/** Nothing where the server cannot be asked without saving. */
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
  return problems.length === 0
    ? remarks
    : { ...remarks, action: 'failed', error: new NotDoneError(problems.join('; ')) }
}

function problemsIn({ issues, templateIssues, quota }: JsonObject): string[] {
  const found = [...listOf(issues), ...listOf(templateIssues)].map(({ path, message }) => `${path}: ${message}`)
  const { available, message } = (quota ?? {}) as { available?: boolean; message?: string | null }
  return available === false ? [...found, message ?? 'no place is left'] : found
}
