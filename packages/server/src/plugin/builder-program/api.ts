/** The builder's side of the protocol: it reaches the server by HTTP alone. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignInRefused, serviceToken } from '../../runtime/http/service-token.js'
import type { AboutBuilder } from './about.js'
import type { BuilderFault } from './fault-reasons.js'

export interface FetchedBase {
  readonly name: string
  readonly digest: string
}

export interface ClaimedJob {
  readonly id: string
  readonly fence: number
  readonly pluginName: string
  readonly version: string
  readonly buildType: string
  readonly timeoutSeconds: number
  readonly dockerfile: string
  readonly buildArgs: Readonly<Record<string, string>>
  readonly smokeTest: string | null
  readonly extractBytesMax: number
  readonly hasSecrets: boolean
  /** The base images of an earlier attempt: names in the Dockerfile, with their resolved digests. */
  readonly bases: readonly FetchedBase[]
  readonly registry: { readonly url: string; readonly repository: string }
}

/** The builder no longer holds the build. */
export class NotHeld extends Error {}

/** The build is not allowed to have what the builder requested. */
export class NotForIt extends Error {}

/** The server cannot be reached, or is not ready to answer. */
export class ServerAway extends Error {}

/** Less than a lease, after which the build belongs to another builder. */
const TRIED_MS_MAX = 45_000
const AGAIN_MS = 1000

/**
 * A server that restarts must not cost a build its attempt. Tries again while the server is away, for less than a lease,
 * and no longer once the signal aborts.
 */
export async function untilAnswered<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (const endMs = performance.now() + TRIED_MS_MAX; ; ) {
    try {
      return await work()
    } catch (error) {
      // guard: a-server-that-restarts-costs-no-attempt
      if (!(error instanceof ServerAway) || signal.aborted || performance.now() > endMs) throw error
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

export interface BuilderApi {
  /**
   * @param fault with one the builder gets no build; null says that it knows of none, undefined leaves what it said
   * before.
   */
  claim(waitSeconds: number, signal: AbortSignal, fault?: BuilderFault | null): Promise<ClaimedJob | null>
  archiveTo(job: ClaimedJob, path: string, signal: AbortSignal): Promise<void>
  secrets(job: ClaimedJob): Promise<readonly { readonly name: string; readonly value: string }[]>
  /** Token for the image of the build, or for a base image if one is named. @throws NotForIt */
  registryToken(job: ClaimedJob, pull?: string): Promise<string>
  /** @returns whether the builder must stop the build. */
  heartbeat(job: ClaimedJob, phase: string, bases?: readonly FetchedBase[]): Promise<boolean>
  log(job: ClaimedJob, from: number, text: string): Promise<void>
  end(job: ClaimedJob, how: 'complete' | 'fail' | 'release', body?: unknown): Promise<void>
}

export interface ApiOptions {
  /** Base of the API, such as https://plumbline.example/api. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
}

const ANSWER_MS_MAX = 60_000
/** Of a server that restarts, of a proxy before it, and of limits that a moment later do not apply. */
const AWAY = new Set([429, 502, 503, 504])

/** `fetch failed` says neither what could not be reached nor why. */
function away(base: string, error: unknown): ServerAway {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined }
  // An address with several records fails with one error for each, and no message of its own.
  const { code, message: why } = (cause ?? {}) as { code?: unknown; message?: unknown }
  const said = [why, code, message].find((each) => typeof each === 'string' && each !== '')
  return new ServerAway(`the server at ${base} cannot be reached: ${String(said).trim()}`)
}

type Ask = (
  method: string,
  path: string,
  fence: number | null,
  body?: unknown,
  signal?: AbortSignal,
) => Promise<Response>

/** @throws NotHeld, NotForIt, ServerAway */
function asking({ url, clientId, clientSecret }: ApiOptions): Ask {
  const base = url.replace(/(?<!\/)\/+$/, '')
  const signIn = serviceToken({ url: base, clientId, clientSecret, scope: 'builds:work', timeoutMs: 10_000 })
  const token = (refused?: string) =>
    signIn(refused).catch((error: unknown) => {
      throw error instanceof SignInRefused ? error : away(base, error)
    })

  return async (method, path, fence, body, signal) => {
    const send = async (bearer: string) =>
      fetch(`${base}/builder/${path}`, {
        method,
        redirect: 'error',
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(fence === null ? {} : { 'x-build-fence': String(fence) }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal ?? AbortSignal.timeout(ANSWER_MS_MAX),
      }).catch((error: unknown) => {
        throw away(base, error)
      })
    const first = await token()
    let response = await send(first)
    if (response.status === 401) response = await send(await token(first))
    if (response.ok) return response
    const said = (await response.json().catch(() => ({}))) as { code?: string; message?: string }
    if (fence !== null && (response.status === 409 || response.status === 404)) throw new NotHeld(said.message)
    if (fence !== null && response.status === 403) throw new NotForIt(said.message)
    const text = `${method} /builder/${path}: ${response.status} ${said.code ?? ''} ${said.message ?? ''}`
    throw AWAY.has(response.status) ? new ServerAway(text) : new Error(text)
  }
}

const data = async <T>(response: Response): Promise<T> => ((await response.json()) as { data: T }).data

export function builderApi(options: ApiOptions, about: Partial<AboutBuilder> = {}): BuilderApi {
  const ask = asking(options)
  const { name } = options
  return {
    async claim(wait, signal, fault) {
      const either = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)])
      const body = { name, wait, ...about, ...(fault === undefined ? {} : { fault }) }
      const response = await ask('POST', 'claims', null, body, either)
      return response.status === 204 ? null : (await data<{ job: ClaimedJob }>(response)).job
    },
    async archiveTo({ id, fence }, path, signal) {
      const { body } = await ask('GET', `jobs/${id}/archive`, fence, undefined, signal)
      if (body === null) throw new Error('the archive came without a body')
      const received = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
      let brokenOff: Error | null = null
      received.once('error', (error) => {
        brokenOff = error
      })
      await pipeline(received, createWriteStream(path, { mode: 0o600 })).catch((error: unknown) => {
        // guard: an-archive-that-breaks-off-is-fetched-again
        if (error === brokenOff && !signal.aborted) throw away(options.url, error)
        throw error
      })
    },
    secrets: async ({ id, fence }) =>
      (await data<{ secrets: { name: string; value: string }[] }>(await ask('GET', `jobs/${id}/secrets`, fence)))
        .secrets,
    async registryToken({ id, fence }, pull) {
      const query = pull === undefined ? '' : `?${new URLSearchParams({ pull })}`
      return (await data<{ token: string }>(await ask('GET', `jobs/${id}/token${query}`, fence))).token
    },
    async heartbeat({ id, fence }, phase, bases) {
      const body = { phase, ...(bases === undefined ? {} : { bases }) }
      return (await data<{ cancel: boolean }>(await ask('POST', `jobs/${id}/heartbeat`, fence, body))).cancel
    },
    async log({ id, fence }, from, text) {
      await ask('POST', `jobs/${id}/log`, fence, { from, text })
    },
    async end({ id, fence }, how, body) {
      await ask('POST', `jobs/${id}/${how}`, fence, body)
    },
  }
}
