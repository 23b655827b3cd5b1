/** Shared by all reports about plugins and their builds. */
import { and, eq, gte, inArray, lt } from 'drizzle-orm'
import Type, { type Static, type TSchema } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import type { AnswerForms } from '../../runtime/operation/forms.js'
import { fromHeader, type Query, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { requirePort } from '../../runtime/port.js'
import { type KnownPlugin, knownPluginsPort } from '../../runtime/records/finished-builds.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { retentionOf } from '../retention.js'
import { type BuildRow, reportingTables } from '../tables.js'
import { RANGE_QUERY, type Range, RangeEcho, rangeOf } from './range.js'
import { OVER_TEAMS } from './report.js'
import { orgIdsOf, SCOPE_QUERY } from './scope.js'

type Fields = Readonly<Record<string, TSchema>>
type Body<F extends Fields> = Static<ReturnType<typeof Type.Object<F>>>

export interface PluginFilters {
  readonly pluginName?: string
  readonly includeDescendants?: boolean
}

export interface PluginsAsked {
  readonly orgIds: readonly string[]
  readonly range: Range
}

interface Definition<Q extends Fields, O extends Fields> {
  readonly name: `${string}.${string}.${string}`
  readonly summary: string
  readonly description?: string
  readonly path: `/${string}`
  readonly query?: Q
  readonly output: O
  readonly forms?: AnswerForms<Body<O>>
  run(
    context: ReadContext,
    query: PluginFilters & Body<Q & Record<never, never>>,
    asked: PluginsAsked,
  ): Promise<Body<O>>
}

const FILTERS = {
  pluginName: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Of the plugin of this name' })),
  includeDescendants: SCOPE_QUERY.includeDescendants,
}

/** A report by GET. Its answer echoes the window as `range`. */
export function pluginReport<const Q extends Fields, O extends Fields>({
  name,
  summary,
  description,
  path,
  output,
  forms,
  ...definition
}: Definition<Q, O>): Query {
  const made = query({
    name,
    summary,
    ...(description === undefined ? {} : { description }),
    http: { method: 'get', path },
    access: permission('reports:read'),
    tenant: fromHeader,
    acrossWhen: OVER_TEAMS,
    snapshot: true,
    input: { query: Type.Object({ ...FILTERS, ...RANGE_QUERY, ...definition.query }) },
    output: strictObject({ ...output, range: RangeEcho }),
    errors: [],
    ...(forms === undefined ? {} : { forms: forms as AnswerForms<never> }),
    async run(context, { query: asked }) {
      const given = asked as unknown as PluginFilters &
        Body<Q & Record<never, never>> & { readonly from?: string; readonly to?: string }
      const { factDays } = await retentionOf(context)
      const range = rangeOf(given, factDays, context.nowMs)
      const orgIds = await orgIdsOf(context, given)
      return { ...(await definition.run(context, given, { orgIds, range })), range: range.echo } as never
    },
  })
  return made as unknown as Query
}

/** Builds that ended in the window. */
export async function buildsIn(
  { db }: Pick<ReadContext, 'db'>,
  { pluginName }: PluginFilters,
  { orgIds, range: { window } }: PluginsAsked,
): Promise<BuildRow[]> {
  const { reportBuilds: t } = reportingTables(db)
  return rowsAtOnce(
    db,
    db
      .select()
      .from(t)
      .where(
        and(
          inArray(t.orgId, [...orgIds]),
          gte(t.finishedMs, window.fromMs),
          lt(t.finishedMs, window.toMs),
          pluginName === undefined ? undefined : eq(t.pluginName, pluginName),
        ),
      ),
  )
}

/** Live plugins in their current state. */
export async function pluginsOf(
  { db, runtime }: Pick<ReadContext, 'db' | 'runtime'>,
  { pluginName }: PluginFilters,
  { orgIds }: PluginsAsked,
): Promise<readonly KnownPlugin[]> {
  const all = await requirePort(runtime, knownPluginsPort).known(db, orgIds)
  return pluginName === undefined ? all : all.filter(({ name }) => name === pluginName)
}
