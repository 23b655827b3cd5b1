/** The parts of the OpenAPI document that operations share: the error envelope, headers, parameters, credentials. */
import { ERROR_CATALOGUE } from '../errors.js'

export const schemas = {
  Error: {
    type: 'object',
    properties: {
      success: { const: false },
      statusCode: { type: 'integer' },
      code: { type: 'string', enum: Object.keys(ERROR_CATALOGUE) },
      message: { type: 'string', description: 'For people; it can change' },
      details: { type: 'object', description: 'Values that the code needs; `issues` for a validation error' },
      requestId: { type: 'string' },
    },
    required: ['success', 'statusCode', 'code', 'message', 'requestId'],
  },
} as const

const text = (description: string) => ({ description, schema: { type: 'string' } })
const whole = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } })

export const headers = {
  'X-Request-Id': text('Identifies the request in logs and audit events'),
  'X-API-Version': { description: 'The version of the API', schema: { const: '1' } },
  'RateLimit-Limit': whole('Requests in the window of the tightest limit; absent when limits are off'),
  'RateLimit-Remaining': whole('Requests left in the window'),
  'RateLimit-Reset': whole('Seconds until its oldest request leaves the window'),
  'Retry-After': whole('Seconds to wait before another try'),
  'WWW-Authenticate': text('Which credential is missing or wrong'),
  ETag: text('`"<revision>.<hash>"` of a record, weak of a list'),
  'Content-Disposition': text('The name of the file'),
  'Idempotency-Replayed': { description: 'The answer is that of the first request', schema: { const: 'true' } },
} as const

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
})

export const parameters = {
  RequestId: header('x-request-id', 'Used when it has this form, otherwise the server creates one', {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  OrgId: header(
    'x-org-id',
    'The organization to work in, by id or slug; by default, the active one of the credential. A link, which has no header, can name it as `?org=` on GET',
    {
      type: 'string',
    },
  ),
  StepUpToken: header('x-step-up-token', 'A fresh confirmation of identity, valid for one request', { type: 'string' }),
  IfMatch: header(
    'if-match',
    'The ETag, or the bare revision, of the record as it was read; 412 when it changed since',
    {
      type: 'string',
    },
  ),
  IfNoneMatch: header('if-none-match', '304 when nothing changed since this ETag', { type: 'string' }),
  IdempotencyKey: header('idempotency-key', 'Makes retries safe: one effect and one answer per key, for 24 h', {
    type: 'string',
    minLength: 1,
    maxLength: 200,
  }),
  LastEventId: header('last-event-id', 'Resumes after this event', { type: 'string' }),
  Range: header('range', 'One range of bytes, such as `bytes=0-1023`', { type: 'string' }),
} as const

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token, a personal access token (`plp_…`), or the token of a service principal',
  },
  stepUp: { type: 'apiKey', in: 'header', name: 'x-step-up-token', description: 'From `POST /auth/step-up`' },
} as const
