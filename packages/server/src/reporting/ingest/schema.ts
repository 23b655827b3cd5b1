/** The schema of sent events. Each item is validated separately, so that an invalid item does not refuse its batch. */
import Type, { type Static } from 'typebox'
import { identifier, name } from '../../runtime/operation/name.js'
import { choice, Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'

export const EVENTS_MAX = 100
const ERROR_CHARS_MAX = 8192
const DETAIL_BYTES_MAX = 8192
/** One leap year, far below the limit of the column. */
const DURATION_MAX = 366 * 86_400_000

export const EVENT_SOURCES = ['codepipeline', 'codebuild', 'plugin-build', 'generic'] as const
export const EVENT_TYPES = ['PIPELINE', 'STAGE', 'ACTION', 'BUILD'] as const

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })

export const EventItem = strictObject({
  pipelineId: Uuid,
  eventSource: Type.Optional(choice(EVENT_SOURCES, { default: 'generic' })),
  eventType: choice(EVENT_TYPES, { description: 'The run itself, a stage, an action of a stage, a build' }),
  status: text(
    20,
    'STARTED, IN_PROGRESS, SUCCEEDED, FAILED, CANCELED, STOPPED, SUPERSEDED; completed, timeout, cancelled',
  ),
  executionId: identifier(255, 'Unique within its pipeline'),
  attempt: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'A re-run is another' })),
  stageName: Type.Optional(name(1, 255)),
  actionName: Type.Optional(name(1, 255)),
  errorMessage: Type.Optional(
    Type.String({ maxLength: ERROR_CHARS_MAX, description: 'Account numbers and credentials are removed from it' }),
  ),
  startedAt: Type.Optional(Instant),
  completedAt: Type.Optional(Instant),
  durationMs: Type.Optional(Type.Integer({ minimum: 0, maximum: DURATION_MAX, description: 'Milliseconds' })),
  environment: Type.Optional(name(1, 255, 'Makes the event a deployment to it')),
  environmentTier: Type.Optional(choice(['production', 'staging', 'testing', 'development', 'other'])),
  commitSha: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f]{7,64}$',
      maxLength: 64,
      'x-says': 'must be 7 to 64 hexadecimal digits',
      examples: ['9fceb02d0ae598e95dc970b74767f19372d61af8'],
    }),
  ),
  commitRef: Type.Optional(name(1, 255, 'Branch or tag')),
  commitTimestamp: Type.Optional(Instant),
  commitCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  rollback: Type.Optional(Type.Boolean({ description: 'Whether the deployment brings an older version back' })),
  rework: Type.Optional(Type.Boolean({ description: 'Whether the deployment was unplanned and repairs another one' })),
  detail: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: `At most ${DETAIL_BYTES_MAX} bytes; not stored`,
    }),
  ),
  eventId: Type.Optional(identifier(255, 'Unique within its pipeline: an event that is sent again counts once')),
})
export type EventItem = Static<typeof EventItem>
export type SentEvent = EventItem

export const isDetailTooLarge = ({ detail }: EventItem): boolean =>
  detail !== undefined && Buffer.byteLength(JSON.stringify(detail)) > DETAIL_BYTES_MAX
