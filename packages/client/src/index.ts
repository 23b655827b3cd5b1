/**
 * A typed client of Plumbline's API: paths, parameters, bodies and answers are checked by the compiler against the types
 * generated from the OpenAPI document. Runs wherever `fetch` does.
 */
import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.js'

export { ApiError, type ApiErrorBody, unwrap } from './answer.js'
export type { components, operations, paths } from './api.js'
export { type RetryOptions, retrying } from './retry.js'
export {
  verifyWebhook,
  type Webhook,
  WebhookError,
  type WebhookOptions,
  type WebhookProblem,
  type WebhookRequest,
} from './webhook.js'

export interface ClientOptions {
  /** The address of the server, such as `https://plumbline.example.com`. */
  readonly url: string
  /** The path of the API below that address; `/api` unless the server is configured otherwise. */
  readonly basePath?: string
  /** An access token or a personal access token, or a function that is called before each request. */
  readonly token?: string | (() => string | null | Promise<string | null>)
  /** The organization of the requests: its id or slug. By default the organization of the credential. */
  readonly organization?: string
  /** Replaces the global `fetch`: for tests, proxies, retries. */
  readonly fetch?: (request: Request) => Promise<Response>
}

export type PlumblineClient = Client<paths>

export function createClient(options: ClientOptions): PlumblineClient {
  const { url, basePath = '/api', token, organization, fetch } = options
  const client = createFetchClient<paths>({
    baseUrl: `${url.replace(/(?<!\/)\/+$/, '')}${basePath}`,
    ...(fetch === undefined ? {} : { fetch }),
  })
  client.use({
    async onRequest({ request }) {
      const value = typeof token === 'function' ? await token() : token
      if (value != null && !request.headers.has('authorization'))
        request.headers.set('authorization', `Bearer ${value}`)
      if (organization !== undefined && !request.headers.has('x-org-id')) request.headers.set('x-org-id', organization)
      return request
    },
  })
  return client
}
