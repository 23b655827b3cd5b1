/**
 * `GET /plugins/builds/:jobId/logs`: the log as it is, or as it grows. Source: spec platform 10.2 (build log).
 *
 * The id of an event is the offset after its text, counted from the first character that was ever written, so that a
 * client that reconnects continues there (`Last-Event-ID`). The first 8 KiB and the last 256 KiB of each attempt are
 * kept.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { stillMay } from '../../identity/index.js'
import type { StreamContext } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { type LogPiece, OMITTED, piecesBehind } from '../build-job/log-rows.js'
import { oneOf } from '../manifest/schema.js'
import { READ_PLUGINS } from '../read-access.js'
import type { BuildJobRow } from '../tables.js'
import { BUILD_PHASES, BUILD_STATES } from './plan.js'
import { jobOf } from './visible.js'

const LOOKED_MS = 1000

const Told = Type.Union([
  Type.String(),
  strictObject({
    text: Type.String(),
    omitted: Type.Optional(Type.Boolean({ description: 'Earlier parts are no longer stored' })),
  }),
  strictObject({ phase: oneOf<string>(BUILD_PHASES) }),
  strictObject({ state: oneOf<string>(BUILD_STATES), exhausted: Type.Boolean() }),
])
type Told = Static<typeof Told>

const TEXT = {
  media: 'text/plain; charset=utf-8',
  fileName: 'build.log',
  example: 'step 1 of 3: FROM debian:12\n',
}

export const getBuildLog = stream({
  name: 'plugin.build.get-log',
  summary: 'Read the log of a build',
  description:
    'As text. With `Accept: text/event-stream` as events: `log` with each new piece, `phase` when the next part of the work begins, and `end` with the state, which is the last event.',
  http: { method: 'get', path: '/plugins/builds/:jobId/logs' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  download: {
    forms: [TEXT],
    orEvents: true,
    choose: (_input, { accepts }) => (accepts('text/event-stream') ? null : TEXT),
  },
  input: { path: Type.Object({ jobId: Uuid }) },
  output: Told,
  errors: ['NOT_FOUND'],
  async open(context, { path: { jobId } }) {
    const job = await read(context, jobId)
    return context.isFile ? whole(context, job) : follow(context, job)
  },
})

const read = (context: StreamContext, jobId: string): Promise<BuildJobRow> =>
  context.read((db) => jobOf(context, db, jobId))

const behind = (context: StreamContext, job: BuildJobRow, place: number): Promise<LogPiece[]> =>
  context.read((db) => piecesBehind(db, job, place))

async function* whole(context: StreamContext, job: BuildJobRow): AsyncGenerator<StreamEvent<Told>> {
  let at = 0
  for (let pieces = await behind(context, job, at); pieces.length > 0; pieces = await behind(context, job, at)) {
    for (const { place, text } of pieces) {
      yield { event: 'log', data: place > at ? OMITTED + text : text }
      at = place + text.length
    }
  }
}

/** Nothing more will be written to the log. */
const isOver = ({ state, isExhausted }: BuildJobRow): boolean =>
  state === 'completed' || state === 'cancelled' || (state === 'dead' && isExhausted)

async function* follow(context: StreamContext, first: BuildJobRow): AsyncGenerator<StreamEvent<Told>> {
  let at = Number(/^[0-9]{1,15}$/.exec(context.lastEventId ?? '')?.[0] ?? 0)
  let phase: string | null = null
  for (let job = first; !context.signal.aborted; job = await read(context, job.id)) {
    // An offset that this log never reached comes from another log: start from the beginning.
    if (at > job.logEnd) at = 0
    if (job.phase !== null && job.phase !== phase) yield { id: String(at), event: 'phase', data: { phase: job.phase } }
    phase = job.phase
    for (let pieces = await behind(context, job, at); pieces.length > 0; pieces = await behind(context, job, at)) {
      for (const { place, text } of pieces) {
        const omitted = place > at
        const data = { text: omitted ? text : text.slice(at - place), ...(omitted && { omitted }) }
        at = place + text.length
        yield { id: String(at), event: 'log', data }
      }
    }
    if (isOver(job)) {
      yield { id: String(at), event: 'end', data: { state: job.state, exhausted: job.isExhausted } }
      return
    }
    await sleep(LOOKED_MS, undefined, { signal: context.signal, ref: false }).catch(() => undefined)
    if (context.signal.aborted || !(await stillMay(context, 'plugins:read'))) return
  }
}
