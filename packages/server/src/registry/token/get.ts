/**
 * `GET /registry/token`: the token endpoint for `docker login`, `skopeo` and `buildah` (the registry's token
 * authentication).
 */
import Type from 'typebox'
import { basicCaller } from '../../identity/index.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { addressKey, tooMany } from '../../runtime/http/request-limits.js'
import { anyone } from '../../runtime/operation/access.js'
import type { BucketName } from '../../runtime/operation/buckets.js'
import type { PrepareContext } from '../../runtime/operation/context.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { callerOf } from '../caller.js'
import { isPushHeld } from '../collection/hold.js'
import { type Granted, granted, scopesIn } from '../grant.js'
import { SERVICE, signingKey } from '../keys.js'
import { repositoryOf } from '../repository.js'
import { recentToken } from './recent.js'

export const getToken = query({
  name: 'registry.token.get',
  summary: 'Get a token for the registry',
  description:
    'For `docker login`, `skopeo` and `buildah`, which find this address automatically. By HTTP Basic: a personal access token with any user name, or the client id and the secret of a service principal. ' +
    'A scope is `repository:<name>:<actions>`; actions that are not granted are left out. At most 20 scopes are read.',
  http: { method: 'get', path: '/registry/token', aliases: ['/token'], isHiddenFromOthers: true },
  access: anyone(),
  tenant: noTenant,
  countsItself: 'it counts by the credential that it is given, and what it refuses by address',
  media: 'application/json',
  input: {
    query: Type.Object({
      service: Type.Optional(Type.String({ description: `The name of the registry: \`${SERVICE}\`` })),
      // Commas separate the actions of a scope.
      scope: Type.Optional(
        Type.Array(Type.String(), { maxItems: 10_000, description: 'Can be repeated', 'x-repeated': true }),
      ),
      account: Type.Optional(Type.String({ description: 'The user name of the client; ignored' })),
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
    const wanted = await granted(await callerOf(context, caller), scopesIn(scope))
    const pushes = wanted.some(({ actions }) => actions.includes('push'))
    // guard: push-is-withheld-while-the-registry-is-collected
    const isHeld = pushes && (await context.read((db) => isPushHeld(db, context.nowMs)))
    const access = withoutPush(wanted, isHeld ? () => true : await whereFull(context, wanted))
    return { caller: caller.subject, access, key }
  },
  async run({ runtime, nowMs }, _input, { caller, access, key }) {
    const seconds = runtime.settings.REGISTRY_TOKEN_TTL_SECONDS
    const { token, issuedAtMs } = recentToken({ subject: caller, access, nowMs, seconds }, key)
    const expiresIn = seconds - Math.floor((nowMs - issuedAtMs) / 1000)
    return { token, access_token: token, expires_in: expiresIn, issued_at: new Date(issuedAtMs).toISOString() }
  },
})

const withoutPush = (access: readonly Granted[], isWithheld: (name: string) => boolean): Granted[] =>
  access
    .map((each) => ({
      ...each,
      actions: each.actions.filter((action) => action !== 'push' || !isWithheld(each.name)),
    }))
    .filter(({ actions }) => actions.length > 0)

/** Tells of a repository that may be pushed to whether the storage of its organization is full. */
async function whereFull(context: PrepareContext, access: readonly Granted[]): Promise<(name: string) => boolean> {
  const orgOf = (name: string) => repositoryOf(name)?.orgId ?? ''
  const pushed = access.filter(({ actions }) => actions.includes('push')).map(({ name }) => orgOf(name))
  const full = new Set<string>()
  for (const orgId of new Set(pushed)) if (await isFull(context, orgId)) full.add(orgId)
  return (name) => full.has(orgOf(name))
}

async function isFull({ runtime, read }: PrepareContext, orgId: string): Promise<boolean> {
  try {
    await read((db) => capacityOf(runtime).checkHeadroom(db, orgId, 'storageBytes', 1))
    return false
  } catch (error) {
    if (error instanceof Refusal && error.code === 'QUOTA_EXCEEDED') return true
    throw error
  }
}

async function count({ runtime }: PrepareContext, bucket: BucketName, by: string): Promise<void> {
  const taken = await runtime.limiter?.take(bucket, by)
  if (taken !== null && taken !== undefined && !taken.allowed) throw tooMany(taken)
}
