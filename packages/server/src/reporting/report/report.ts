/** Shared by all reports about executions: the permission, the filters, the window and its echo. */
import Type, { type Static, type TSchema } from 'typebox'
import type { ErrorCode } from '../../runtime/errors.js'
import { type Access, permission } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import type { AnswerForms } from '../../runtime/operation/forms.js'
import { fromHeader, type Query, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { retentionOf } from '../retention.js'
import { RANGE_QUERY, type Range, RangeEcho, rangeOf } from './range.js'
import { type ReportScope, SCOPE_QUERY, type ScopeQuery, scopeOf } from './scope.js'

export const OVER_TEAMS = {
  reason: 'reports over the teams of an organization, for those with `reports:rollup`',
  is: (query: Readonly<Record<string, unknown>>, body: unknown) =>
    query['includeDescendants'] === true ||
    (typeof body === 'object' && body !== null && 'includeDescendants' in body && body.includeDescendants === true),
}

export interface Asked {
  readonly scope: ReportScope
  readonly range: Range
}

type Fields = Readonly<Record<string, TSchema>>
type Filters<Q extends Fields> = ScopeQuery & Static<ReturnType<typeof Type.Object<Q & Record<never, never>>>>

export interface ReportDefinition<Q extends Fields, O extends Fields> {
  readonly name: `${string}.${string}.${string}`
  readonly summary: string
  readonly description?: string
  readonly path: `/${string}`
  readonly query?: Q
  readonly output: O
  readonly access?: Access
  readonly errors?: readonly ErrorCode[]
  /** Whether it includes days of which only sums are left. */
  readonly readsSums?: boolean
  readonly forms?: AnswerForms<Static<ReturnType<typeof Type.Object<O>>>>
  run(context: ReadContext, query: Filters<Q>, asked: Asked): Promise<Static<ReturnType<typeof Type.Object<O>>>>
}

/** A report by GET. Its answer echoes the window as `range`. */
export function report<const Q extends Fields, O extends Fields>({
  name,
  summary,
  description,
  path,
  access,
  output,
  forms,
  errors = [],
  ...definition
}: ReportDefinition<Q, O>): Query {
  const made = query({
    name,
    summary,
    ...(description === undefined ? {} : { description }),
    http: { method: 'get', path },
    access: access ?? permission('reports:read'),
    tenant: fromHeader,
    acrossWhen: OVER_TEAMS,
    snapshot: true,
    input: { query: Type.Object({ ...SCOPE_QUERY, ...RANGE_QUERY, ...definition.query }) },
    output: strictObject({ ...output, range: RangeEcho }),
    errors: ['NOT_FOUND', ...errors],
    ...(forms === undefined ? {} : { forms: forms as AnswerForms<never> }),
    async run(context, { query: asked }) {
      const given = asked as unknown as Filters<Q> & { readonly from?: string; readonly to?: string }
      const { factDays } = await retentionOf(context)
      // Sums are not split by environment.
      const reach = definition.readsSums === true && given.environment === undefined ? 'sums' : 'facts'
      const range = rangeOf(given, factDays, context.nowMs, reach)
      const scope = await scopeOf(context, given)
      return { ...(await definition.run(context, given, { scope, range })), range: range.echo } as never
    },
  })
  return made as unknown as Query
}
