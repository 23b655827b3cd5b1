/**
 * `GET /events`: streams the topics that changed in the organization, so that a page can reload what it shows. The id
 * of an event encodes the state at that time. A client that sends it back learns what has changed since, no matter how
 * long it was away.
 *
 * INVARIANT: a topic is sent only to callers who may list its records at that moment. Once a right ends, its holder
 * gets no topic after five seconds.
 */
import Type, { type Static } from 'typebox'
import { member, openToNarrowed } from '../../runtime/operation/access.js'
import { mayPass } from '../../runtime/operation/authorize.js'
import type { ChangeSource } from '../../runtime/operation/change-source.js'
import { type StreamContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import type { Db } from '../../runtime/store/db.js'
import { stillIs } from '../recheck-authority.js'

const LOOK_EVERY_MS = 1000

const Told = strictObject({
  topics: Type.Array(Type.String(), { description: 'Such as `compliance.rule`; empty in the first event' }),
  resumed: Type.Optional(
    Type.Boolean({
      description: 'In the first event. `false`: earlier changes are not reported; read everything again',
    }),
  ),
})
type Told = Static<typeof Told>

type Marks = Readonly<Record<string, string>>

export const followChange = stream({
  name: 'identity.change.follow',
  summary: 'Follow what changes in the organization: `live`, then `changed` with its topics',
  description:
    'Server-sent events. They name the kinds of record that changed, and contain no record: read again what you show. Send `Last-Event-ID` to continue an interrupted stream.',
  http: { method: 'get', path: '/events' },
  access: openToNarrowed('any', member()),
  tenant: fromHeader,
  input: {},
  output: Told,
  errors: [],
  open: async (context) => follow(context, readMarks(context.lastEventId)),
})

async function* follow(context: StreamContext, given: Marks | null): AsyncGenerator<StreamEvent<Told>> {
  const sources = sourcesOf(context)
  const orgId = tenantId(context as never)
  const look = (marks: Marks) => context.read((db) => lookAll(db, orgId, sources, marks))
  const share = sharedLooks(context.runtime)
  let marks: Marks = given ?? {}
  for (let isFirst = true; !context.signal.aborted; isFirst = false) {
    // The first look of a stream is its own, so that it reports the state at that moment. Later looks are shared within
    // the process.
    const seen = isFirst ? await look(marks) : await share(`${orgId} ${writeMarks(marks)}`, () => look(marks))
    const now = await stillIs(context)
    // guard: changes-are-told-to-members-alone
    if (now === null || !mayPass(followChange.access, now.principal, now.authority)) return
    marks = seen.marks
    const id = writeMarks(marks)
    const mayHear = ({ source, topic }: Seen['changed'][number]) => {
      const access = source.access(topic)
      // guard: a-topic-is-told-to-those-who-may-list-it
      return access === undefined || mayPass(access, now.principal, now.authority)
    }
    const topics = seen.changed.filter(mayHear).map(({ topic }) => topic)
    if (isFirst) yield { id, event: 'live', data: { topics, resumed: given !== null } }
    else if (topics.length > 0) yield { id, event: 'changed', data: { topics: [...new Set(topics)] } }
    await pause(context.signal)
  }
}

const tickNow = (): number => Math.floor(performance.now() / LOOK_EVERY_MS)

/**
 * Streams of an organization that have seen the same events have the same marks, and wake at the same tick, so one look
 * serves them all. Each stream decides which topics its caller may get.
 */
const sharedLooks = perRuntime(() => {
  const looks = new Map<string, Promise<Seen>>()
  let tick = 0
  return async (key: string, look: () => Promise<Seen>): Promise<Seen> => {
    const now = tickNow()
    if (now !== tick) looks.clear()
    tick = now
    const others = looks.get(key)
    // The look of the other stream may have failed because that stream ended.
    if (others !== undefined) return others.catch(look)
    const own = look()
    looks.set(key, own)
    return own
  }
})

interface Seen {
  readonly marks: Marks
  readonly changed: readonly { readonly source: ChangeSource; readonly topic: string }[]
}

async function lookAll(db: Db, orgId: string, sources: readonly ChangeSource[], before: Marks): Promise<Seen> {
  const marks: Record<string, string> = {}
  const changed: Seen['changed'][number][] = []
  for (const source of sources) {
    const { mark, topics } = await source.look(db, orgId, before[source.name] ?? null)
    marks[source.name] = mark
    for (const topic of topics) changed.push({ source, topic })
  }
  return { marks, changed }
}

/** The change sources of the modules that this process mounts. */
const mountedSources = perRuntime(({ domains, settings }) => {
  const mounted: readonly string[] = settings.PLUMBLINE_MODULES
  return domains.flatMap(({ name, changes = [] }) => (mounted.includes(name) ? changes : []))
})
const sourcesOf = ({ runtime }: StreamContext): readonly ChangeSource[] => mountedSources(runtime)

const writeMarks = (marks: Marks): string => Buffer.from(JSON.stringify(marks)).toString('base64url')

/** Parses marks that a client sends back; null for anything else. Marks describe an earlier state and grant nothing. */
export function readMarks(text: string | null): Marks | null {
  try {
    const found: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString())
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return null
    return Object.fromEntries(Object.entries(found).filter(([, mark]) => typeof mark === 'string')) as Marks
  } catch {
    return null
  }
}

/** Waits until the next tick, which is the same for all streams. */
const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, LOOK_EVERY_MS - (performance.now() % LOOK_EVERY_MS))
    if (signal.aborted) done()
    else signal.addEventListener('abort', done)
  })
