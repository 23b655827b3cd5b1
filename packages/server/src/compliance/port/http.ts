/**
 * The compliance check where another process mounts the domain (`COMPLIANCE_SERVICE_HOST`). Any answer other than a
 * verdict in the expected form is an error, so that the caller refuses the change: no answer passes by accident.
 */
import type { Target } from '@plumbline/engine'
import type { TSchema } from 'typebox'
import type { TokenSource } from '../../runtime/http/service-token.js'
import { problems } from '../../runtime/operation/schema.js'
import type {
  AttributesRefused,
  CheckContext,
  ComplianceAnswer,
  CompliancePort,
  ComplianceRequest,
  ComplianceVerdict,
} from '../../runtime/records/compliance.js'
import { VerdictRecord } from '../check/verdict.js'
import { heldOf } from '../held.js'

export interface HttpComplianceOptions {
  /** Base URL of the API. */
  readonly url: string
  readonly token: TokenSource
  readonly fetch?: typeof globalThis.fetch
}

/** In bytes: a verdict with 200 violations fits, and an endless answer is cut off. */
const ANSWER_BYTES_MAX = 4 << 20

/** The request is retried once: the connection broke, or the service answered that it is busy. */
class Again extends Error {}

export function httpCompliance(options: HttpComplianceOptions): CompliancePort {
  return {
    async check(context, request, signal): Promise<ComplianceAnswer> {
      const token = await options.token()
      try {
        return await ask(options, token, context, request, signal)
      } catch (error) {
        if (!(error instanceof Again) || signal.aborted) throw error
        return ask(options, await options.token(), context, request, signal)
      }
    },
  }
}

async function ask(
  { url, token, fetch: send = fetch }: HttpComplianceOptions,
  bearer: string,
  context: CheckContext,
  request: ComplianceRequest,
  signal: AbortSignal,
): Promise<ComplianceAnswer> {
  const response = await send(`${url}${pathOf(request)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${bearer}`,
      'x-org-id': heldOf(context).orgId,
      'x-request-id': context.request.requestId,
    },
    body: JSON.stringify(bodyOf(request)),
    signal,
    redirect: 'error',
  }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new Again('the compliance service cannot be reached', { cause })
  })
  if (response.status === 401) {
    await response.body?.cancel()
    await token(bearer)
    throw new Again('the compliance service no longer accepts the token')
  }
  if (response.status === 503) {
    await response.body?.cancel()
    throw new Again('the compliance service is busy')
  }
  return answerOf(response.status, await boundedJson(response))
}

const pathOf = ({ target, isDryRun }: { target: Target; isDryRun?: boolean }): string =>
  `/compliance/validate/${target}${isDryRun === true ? '/dry-run' : ''}`

const bodyOf = ({ attributes, entityId, entityName, action, isDryRun }: ComplianceRequest) => ({
  attributes,
  ...(entityId === null ? {} : { entityId }),
  ...(isDryRun === true ? {} : { action, ...(entityName === null ? {} : { entityName }) }),
})

/** @throws for every answer except a verdict or a refusal of attributes beyond the limits. */
function answerOf(status: number, body: unknown): ComplianceAnswer {
  const { success, data, details } = (body ?? {}) as { success?: unknown; data?: unknown; details?: unknown }
  if (status === 200 && success === true) {
    // Another version may send more fields, which this one ignores.
    const verdict = knownMembers(VerdictRecord as Shape, data)
    const found = problems(VerdictRecord as TSchema, verdict, '/data')
    // guard: the-form-of-a-verdict-from-elsewhere
    if (found.length > 0) throw new Error(`the compliance service sent an invalid verdict: ${found[0]?.path}`)
    return { verdict: consistent(verdict as unknown as ComplianceVerdict) }
  }
  const refused = (details ?? {}) as Partial<AttributesRefused>
  const isLimit = refused.limit === 'keys' || refused.limit === 'depth' || refused.limit === 'nodes'
  if (status === 400 && isLimit && Number.isInteger(refused.max) && Number.isInteger(refused.actual)) {
    return { refused: { limit: refused.limit, max: refused.max, actual: refused.actual } as AttributesRefused }
  }
  throw new Error(`the compliance service answered ${status}`)
}

interface Shape {
  readonly additionalProperties?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/**
 * The value without the members that the schema does not know. Missing or wrong members are left for the validation.
 */
function knownMembers(shape: Shape, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const { items } = shape
    return items === undefined ? value : value.map((each) => knownMembers(items, each))
  }
  const { properties, additionalProperties } = shape.anyOf?.find((form) => form.properties !== undefined) ?? shape
  if (properties === undefined || additionalProperties !== false) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      return known === undefined ? [] : [[name, knownMembers(known, member)]]
    }),
  )
}

/** A verdict that claims to pass although a violation blocks is invalid. */
function consistent(verdict: ComplianceVerdict): ComplianceVerdict {
  const blocks = verdict.violations.some(({ severity }) => severity !== 'warning')
  // guard: a-verdict-from-elsewhere-agrees-with-itself
  if (verdict.blocked !== blocks || verdict.passed !== (verdict.violations.length === 0)) {
    throw new Error('the compliance service sent a verdict that contradicts itself')
  }
  return verdict
}

async function boundedJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the compliance service sent fields that a verdict does not have')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown
}
