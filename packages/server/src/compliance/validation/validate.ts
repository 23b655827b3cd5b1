/**
 * `POST /compliance/validate/{plugin,pipeline}` and its dry run (spec compliance 13). The verdict never depends on who
 * the caller is. A live check answers after its row is committed; a dry run writes nothing. A blocked entity is
 * answered with status 200: the caller that wants to change something turns it into a refusal.
 */
import { type Attributes as AttributesOf, completeEntity, type Target } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { insufficient, invalidField, notFound } from '../../runtime/errors.js'
import type { Entity } from '../../runtime/inventory.js'
import { either, type Permission, permission, scope } from '../../runtime/operation/access.js'
import { changed, type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { name as nameSchema } from '../../runtime/operation/name.js'
import { command, fromHeader, none, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { AsOf, instantAskedFor } from '../as-of/as-of.js'
import { readDecisionAt } from '../as-of/decision.js'
import { decide, excessOf, readDecision, refuseAttributes } from '../check/evaluate.js'
import { checkRow, recordCheck } from '../check/record.js'
import { type Verdict, VerdictRecord } from '../check/verdict.js'
import { resolveSubject } from '../exemption/active.js'
import { heldOf } from '../held.js'
import { announceCheck } from '../notice/announce.js'
import { subjectOf } from '../subject.js'

const ENTITY_NAME_MAX = 255

const Attributes = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The entity as rules see it; leave out the values under `env` and `buildArgs`',
})

const LIVE_ACTIONS = ['upload', 'create', 'update', 'deploy', 'restore'] as const

interface Kind {
  /** Name of the operation. */
  readonly name: `compliance.${Target}.${string}`
  readonly target: Target
  readonly write: Permission
  readonly usual: (typeof LIVE_ACTIONS)[number]
}

export const liveCheck = ({ name, target, write, usual }: Kind) =>
  command({
    name,
    summary: `Check a ${target} and record the verdict`,
    description:
      'The check is committed to the check log before the answer is sent. `blocked` says whether to stop the change.',
    http: { method: 'post', path: `/compliance/validate/${target}` },
    access: either(permission(write), scope('compliance:validate'), scope('compliance:check')),
    tenant: fromHeader,
    audit: none('the check log is the record of a check'),
    input: {
      body: strictObject({
        attributes: Attributes,
        entityId: Type.Optional(Uuid),
        entityName: Type.Optional(nameSchema(1, ENTITY_NAME_MAX)),
        action: Type.Optional(Type.Enum([...LIVE_ACTIONS], { default: usual })),
      }),
    },
    output: strictObject({
      ...VerdictRecord.properties,
      checkId: nullable(Type.String({ description: 'The entry of the check log' })),
    }),
    errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
    async prepare(context, { body }) {
      const { runtime, nowMs, actor } = context
      const excess = excessOf(target, body.attributes, runtime.settings)
      // guard: the-limits-of-attributes-live
      if (excess !== null) throw refuseAttributes(excess)
      const subject = subjectOf(target, body, body.attributes)
      const decision = await context.read((db) => readDecision(db, runtime, heldOf(context), subject))
      const verdict = decide(decision, body.attributes, nowMs)
      const entry = {
        orgId: tenantId(context),
        userId: actor.id,
        subject: decision.subject,
        action: body.action ?? usual,
        attributes: body.attributes,
        verdict,
      }
      return { verdict, row: checkRow(runtime, entry, nowMs) }
    },
    async run({ tx, enqueue, runtime }, _input, { verdict, row }) {
      // guard: a-live-check-has-its-entry
      await recordCheck(tx, row)
      const told = await announceCheck(tx, runtime, row)
      if (told !== null) await enqueue(told)
      return changed({ checkId: row.id, ...answerOf(verdict) })
    },
  })

export const dryRun = ({ name, target }: Kind) =>
  query({
    name,
    summary: `Check a ${target} without a trace`,
    description:
      'Returns the same verdict as the live check, but writes nothing and notifies nobody. Without `attributes`: the verdict on the stored record `entityId` of the organization. With `complete`: the verdict on the record that a create or an upload of the attributes would store. With `asOf`: the verdict of the rules at that instant, for callers with compliance:read.',
    http: { method: 'post', path: `/compliance/validate/${target}/dry-run` },
    access: either(permission('compliance:read'), scope('compliance:validate'), scope('compliance:check')),
    tenant: fromHeader,
    input: {
      body: strictObject({
        attributes: Type.Optional(Attributes),
        entityId: Type.Optional(Uuid),
        complete: Type.Optional(
          Type.Boolean({
            description:
              'Fills in what the attributes leave out, as a create or an upload does: from the stored record of the same key, then by the defaults. Needs compliance:read',
          }),
        ),
        asOf: AsOf,
      }),
    },
    output: VerdictRecord,
    errors: ['CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
    async run(context, { body }) {
      const { db, runtime, nowMs } = context
      const given = body.attributes ?? (await storedAttributes(context, target, body.entityId))
      refuseExcess(target, given, runtime)
      const attributes =
        body.complete === true && body.attributes !== undefined
          ? await completedAttributes(context, target, given, body.entityId)
          : given
      if (attributes !== given) refuseExcess(target, attributes, runtime)
      const [held, subject] = [heldOf(context), subjectOf(target, body, attributes)]
      const atMs = instantAskedFor(context, body.asOf, '/body/asOf')
      const decision =
        atMs === null
          ? await readDecision(db, runtime, held, subject)
          : await readDecisionAt(db, runtime, held, subject, atMs)
      return answerOf(decide(decision, attributes, atMs ?? nowMs))
    },
  })

function refuseExcess(target: Target, attributes: AttributesOf, { settings }: ReadContext['runtime']): void {
  const excess = excessOf(target, attributes, settings)
  if (excess !== null) throw refuseAttributes(excess)
}

/** @throws Refusal 403 without `compliance:read`, because a verdict shows values of the stored record. */
function requireReader({ authority }: ReadContext, instead: string): void {
  // guard: a-verdict-on-a-stored-record-needs-the-right-to-read
  if (!authority.permissions.has('compliance:read')) {
    throw insufficient('permission', `a stored record needs the permission compliance:read: ${instead}`, {
      required: ['compliance:read'],
      mode: 'all',
    })
  }
}

/**
 * The attributes as a create or an upload of them would store them.
 * @throws Refusal 403 as `requireReader`.
 */
async function completedAttributes(
  context: ReadContext,
  target: Target,
  written: AttributesOf,
  entityId: string | undefined,
): Promise<AttributesOf> {
  requireReader(context, 'leave `complete` out, and send all attributes')
  const asked = subjectOf(target, entityId === undefined ? {} : { entityId }, completeEntity(target, written))
  const { entityId: id } = await resolveSubject(context.db, context.runtime, tenantId(context), asked)
  const source = context.runtime.entities?.find((each) => each.target === target)
  const stored = id === null ? null : await source?.read(context.db, tenantId(context), id)
  // guard: a-completed-record-keeps-what-is-stored
  return completeEntity(target, written, stored?.attributes ?? null)
}

/**
 * What rules read of a stored record, as a scan reads it.
 * @throws Refusal 403 as `requireReader`; 400 without its id; 404.
 */
async function storedAttributes(
  context: ReadContext,
  target: Target,
  entityId: string | undefined,
): Promise<Entity['attributes']> {
  requireReader(context, 'send its `attributes`')
  if (entityId === undefined) {
    throw invalidField('/body/attributes', 'must be given, or `entityId` of a stored record', 'required')
  }
  const source = context.runtime.entities?.find((each) => each.target === target)
  const entity = await source?.read(context.db, tenantId(context), entityId)
  if (entity == null) throw notFound(target === 'plugin' ? 'Plugin' : 'Pipeline')
  return entity.attributes
}

/** A verdict as data of an answer. */
const answerOf = (verdict: Verdict): Static<typeof VerdictRecord> => verdict as unknown as Static<typeof VerdictRecord>

export const PLUGIN = { target: 'plugin', write: 'plugins:write', usual: 'upload' } as const
export const PIPELINE = { target: 'pipeline', write: 'pipelines:write', usual: 'create' } as const
