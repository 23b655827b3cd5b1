/** `GET /reports/parked`: the unknown pipelines whose events are parked. */
import { asc, count, eq, max, min } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { requirePort } from '../../runtime/port.js'
import { deployedPipelinesPort, type KnownPipeline } from '../../runtime/records/deployed-pipelines.js'
import { reportingTables } from '../tables.js'
import { PARKED_MAX, PARKED_MS } from './park.js'

const REFS_MAX = 1000
const isUuid = (ref: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(ref)

export const listParked = query({
  name: 'reporting.parked.list',
  summary: 'List unregistered pipelines that events wait for',
  description: `Events wait 7 days, at most ${PARKED_MAX} per organization. They are counted once the pipeline is registered or restored.`,
  http: { method: 'get', path: '/reports/parked' },
  access: permission('reports:read'),
  tenant: fromHeader,
  input: {},
  output: strictObject({
    parked: Type.Array(
      strictObject({
        pipelineRef: Type.String({ description: 'The id of a pipeline, or a repository' }),
        events: Type.Integer({ minimum: 1 }),
        firstReceivedAt: Instant,
        lastReceivedAt: Instant,
        goesAt: Instant,
        nextStep: Type.String(),
      }),
    ),
    total: Type.Integer({ minimum: 0 }),
  }),
  errors: [],
  async run(context) {
    const { reportParked: t } = reportingTables(context.db)
    const rows = await context.db
      .select({ pipelineRef: t.pipelineRef, events: count(), first: min(t.receivedMs), last: max(t.receivedMs) })
      .from(t)
      .where(eq(t.orgId, tenantId(context)))
      .groupBy(t.pipelineRef)
      .orderBy(asc(t.pipelineRef))
      .limit(REFS_MAX)
    const known = await knownOf(
      context,
      rows.map(({ pipelineRef }) => pipelineRef),
    )
    const parked = rows.map(({ pipelineRef, events, first, last }) => ({
      pipelineRef,
      events: Number(events),
      firstReceivedAt: toIso(Number(first)),
      lastReceivedAt: toIso(Number(last)),
      goesAt: toIso(Number(first) + PARKED_MS),
      nextStep: isUuid(pipelineRef)
        ? stepOf(pipelineRef, known.get(pipelineRef))
        : `register the pipeline that builds from it, or name one: plumbline reports sources set <source> --map '${pipelineRef.split(' | ')[0]}=<pipeline>'`,
    }))
    return { parked, total: parked.reduce((sum, { events }) => sum + events, 0) }
  },
})

async function knownOf(context: ReadContext, refs: readonly string[]): Promise<ReadonlyMap<string, KnownPipeline>> {
  if (!refs.some(isUuid)) return new Map()
  const known = await requirePort(context.runtime, deployedPipelinesPort).known(context.db, [tenantId(context)])
  return new Map(known.map((each) => [each.id, each]))
}

function stepOf(id: string, known: KnownPipeline | undefined): string {
  if (known?.isDeleted === true) return `plumbline pipelines restore ${id}`
  const register = `plumbline pipelines register --pipeline ${id}`
  return known === undefined
    ? `this organization has no pipeline of this id: correct the id at the sender, or register the pipeline in its team: ${register} --org <team>`
    : register
}
