/**
 * `POST /registry/events`: the registry's notifications. An event is only a hint: the server reads the repository that
 * it names, and writes what it finds there.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { nulIssues } from '../../runtime/http/nul.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, type Runtime } from '../../runtime/operation/context.js'
import { none, noTenant, rawCommand } from '../../runtime/operation/operation.js'
import { RAW_BYTES_MAX, type RawBody } from '../../runtime/operation/raw.js'
import { problems, strictObject } from '../../runtime/operation/schema.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { readingOf } from '../reading/job.js'
import { DIGEST, repositoryOf } from '../repository.js'
import { registryTables } from '../tables.js'

const Event = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  action: Type.String({ maxLength: 50 }),
  target: Type.Object({
    repository: Type.Optional(Type.String({ maxLength: 300 })),
    digest: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  actor: Type.Optional(Type.Object({ name: Type.Optional(Type.String({ maxLength: 200 })) })),
})
const Envelope = Type.Object({ events: Type.Array(Event, { maxItems: 10_000 }) })
type Event = Type.Static<typeof Event>

/** Actions that change something; a pull does not. */
const ACTIONS: ReadonlySet<string> = new Set(['push', 'mount', 'delete'])

export const receiveEvents = rawCommand({
  name: 'registry.event.receive',
  summary: 'Receive events of the registry',
  description:
    'For the notifications of the registry. The server reads the repositories that the events name, and trusts nothing else in them. An event that was received before is ignored.',
  http: { method: 'post', path: '/registry/events' },
  access: anyone(),
  tenant: noTenant,
  audit: none('an event only makes the server read the registry; what was done there has its own evidence'),
  input: {},
  output: strictObject({ taken: Type.Integer(), ignored: Type.Integer() }),
  errors: ['UNAUTHORIZED', 'VALIDATION_ERROR', 'REGISTRY_NOT_CONFIGURED'],
  raw: {
    bytesMax: RAW_BYTES_MAX,
    atOnceMax: 16,
    refusedIn: 'raw-refused',
    description:
      'The events as the registry sends them, with `Authorization: Bearer` and a secret of `REGISTRY_EVENTS_SECRET`.',
    mediaType: 'application/vnd.docker.distribution.events.v1+json',
  },
  prepare: async ({ runtime }, _input, raw) => {
    checkSecret(runtime, raw)
    return eventsOf(raw)
  },
  async run({ tx, nowMs, enqueue }, _input, events) {
    const hints = new Map<string, { digests: Set<string>; pushedBy: string | null }>()
    let taken = 0
    for (const { id, action, target, actor } of events) {
      const { repository = '', digest = '' } = target
      if (!ACTIONS.has(action) || repositoryOf(repository) === null) continue
      // guard: an-event-of-the-registry-counts-once
      if (!(await insertNew(tx, registryTables(tx).registryEvents, { id, seenAtMs: nowMs }))) continue
      taken += 1
      const hint = hints.get(repository) ?? { digests: new Set(), pushedBy: null }
      if (DIGEST.test(digest)) hint.digests.add(digest)
      if (action === 'push') hint.pushedBy = actor?.name ?? hint.pushedBy
      hints.set(repository, hint)
    }
    for (const [name, { digests, pushedBy }] of hints) await enqueue(readingOf(name, [...digests], pushedBy))
    return changed({ taken, ignored: events.length - taken })
  },
})

/** @throws Refusal 401 or 503 */
function checkSecret({ settings }: Runtime, { headers }: RawBody): void {
  const secrets = settings.REGISTRY_EVENTS_SECRET ?? []
  if (settings.REGISTRY_URL === null || secrets.length === 0) {
    throw new Refusal(
      'REGISTRY_NOT_CONFIGURED',
      'this server accepts no registry events: set REGISTRY_URL and REGISTRY_EVENTS_SECRET',
    )
  }
  const [, sent = ''] = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '') ?? []
  const digest = (text: string) => createHash('sha256').update(text).digest()
  // guard: events-come-with-the-secret
  if (!secrets.some((secret) => timingSafeEqual(digest(secret), digest(sent)))) {
    throw new Refusal('UNAUTHORIZED', 'the secret is missing or does not match REGISTRY_EVENTS_SECRET', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }
}

/** @throws Refusal 400 */
function eventsOf({ bytes }: RawBody): readonly Event[] {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw invalidField('/body', 'is not JSON', 'json')
  }
  const [problem] = [...nulIssues(value, '/body'), ...problems(Envelope, value, '/body')]
  if (problem !== undefined) throw invalidField(problem.path, problem.message, problem.code)
  return (value as Type.Static<typeof Envelope>).events
}
