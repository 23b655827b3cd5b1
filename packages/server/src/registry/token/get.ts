/** `GET /registry/token`: what `docker login`, `skopeo` and `buildah` ask for tokens (the registry's token authentication). */
import Type from 'typebox'
import { basicCaller } from '../../identity/index.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { addressKey, tooMany } from '../../runtime/http/request-limits.js'
import { anyone } from '../../runtime/operation/access.js'
import type { BucketName } from '../../runtime/operation/buckets.js'
import type { PrepareContext } from '../../runtime/operation/context.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { callerOf } from '../caller.js'
import { granted, scopesIn } from '../grant.js'
import { SERVICE, signingKey } from '../keys.js'
import { signToken } from '../sign.js'

export const getToken = query({
  name: 'registry.token.get',
  summary: 'Get a token for the registry',
  description:
    'For `docker login`, `skopeo` and `buildah`, which find this address by themselves. By HTTP Basic: a personal access token under any name, or the client id and the secret of a service principal. ' +
    'A scope is `repository:<name>:<actions>`; what of it is not granted is left out. At most 20 are looked at.',
  http: { method: 'get', path: '/registry/token', aliases: ['/token'], isHiddenFromOthers: true },
  access: anyone(),
  tenant: noTenant,
  countsItself: 'it counts by the credential that it is given, and what it refuses by address',
  media: 'application/json',
  input: {
    query: Type.Object({
      service: Type.Optional(Type.String({ description: `The name of the registry: \`${SERVICE}\`` })),
      scope: Type.Optional(Type.Array(Type.String(), { maxItems: 10_000, description: 'Once or several times' })),
      account: Type.Optional(Type.String({ description: 'The name that a client was given; not looked at' })),
    }),
  },
  output: strictObject({
    token: Type.String(),
    access_token: Type.String({ description: 'The same' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
    issued_at: Type.String(),
  }),
  errors: ['UNAUTHORIZED', 'VALIDATION_ERROR', 'RATE_LIMIT_EXCEEDED', 'REGISTRY_NOT_CONFIGURED', 'SERVICE_UNAVAILABLE'],
  headersOf: () => ({ 'cache-control': 'no-store' }),
  async prepare(context, { query: { service, scope = [] } }) {
    const key = signingKey(context.runtime)
    const caller = await basicCaller(context.runtime, context.request.headers?.get('authorization') ?? null)
    if (caller === null) {
      await count(context, 'registry-refused', addressKey(context.request.ip ?? 'unknown'))
      throw new Refusal(
        'UNAUTHORIZED',
        'a personal access token, or the id and the secret of a service principal, is needed',
        {
          headers: { 'WWW-Authenticate': `Basic realm="${SERVICE}"` },
        },
      )
    }
    // guard: tokens-of-a-caller-are-counted
    await count(context, 'registry-token', caller.countedBy)
    if (service !== SERVICE) throw invalidField('/query/service', `must be \`${SERVICE}\``, 'const')
    // A comma between actions of a scope is one between values of a list to the reader of queries.
    const scopes = scopesIn(scope.join(',').split(/,(?=[a-z]+[:(])/))
    const access = await granted(await callerOf(context, caller), scopes)
    return { caller: caller.subject, access, key }
  },
  async run({ runtime, nowMs }, _input, { caller, access, key }) {
    const seconds = runtime.settings.REGISTRY_TOKEN_TTL_SECONDS
    const token = await signToken({ subject: caller, access, nowMs, seconds }, key)
    return { token, access_token: token, expires_in: seconds, issued_at: new Date(nowMs).toISOString() }
  },
})

async function count({ runtime }: PrepareContext, bucket: BucketName, by: string): Promise<void> {
  const taken = await runtime.limiter?.take(bucket, by)
  if (taken !== null && taken !== undefined && !taken.allowed) throw tooMany(taken)
}
