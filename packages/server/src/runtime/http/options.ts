/** What the process decides about HTTP; everything with a default may be left out. */
import type { Context } from 'hono'
import type { Runtime } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import type { Authenticator } from './authenticator.js'
import type { StreamsMax } from './stream-slots.js'
import type { UploadFolder } from './upload-folder.js'

/** The HTTP settings of the process. Options with a default may be left out. */
export interface HttpSetup {
  readonly runtime: Runtime
  readonly operations: readonly Operation[]
  readonly authenticator: Authenticator
  /** `/api`, or an empty text for the root. */
  readonly basePath: string
  /** Called with every error that is not a refusal. */
  readonly onError: (error: unknown, requestId: string) => void
  /** How many proxies in front append to `X-Forwarded-For`. Default 0: the socket's address. */
  readonly trustedProxyHops?: number
  /** Clients reach the server over TLS: sends HSTS. */
  readonly behindTls?: boolean
  /** Origins of browsers that may call; none by default. `*` allows any, without credentials. */
  readonly corsOrigins?: readonly string[]
  /** Checks answers and refusals against the declaration of the operation: for tests and development. */
  readonly checkResponses?: boolean
  readonly bodyBytesMax?: number
  /** How many streams may be open at once. */
  readonly streamsMax?: StreamsMax
  /** The largest `limit` of a list, when the list itself allows more. */
  readonly pageMax?: number
  /** The folder in which uploaded files are kept until the answer is sent. */
  readonly uploadFolder?: UploadFolder
  /** The version that the OpenAPI document names. */
  readonly version?: string
  /** Answers paths that no operation has; null for a path that nothing answers. */
  readonly elsewhere?: (c: Context) => Promise<Response> | null
  /** Aborted when the process drains; ends event streams. */
  readonly drain?: AbortSignal
}

/** The setup with its defaults. */
export type HttpOptions = Required<Omit<HttpSetup, 'drain' | 'elsewhere'>> & Pick<HttpSetup, 'drain' | 'elsewhere'>
