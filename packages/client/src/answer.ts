/** Takes the data out of the envelope of an answer, or throws the refusal of the server. */

export interface ApiErrorBody {
  readonly success: false
  readonly statusCode: number
  readonly code: string
  readonly message: string
  readonly details?: Record<string, unknown>
  readonly requestId?: string
}

/** A refusal of the server. `code` is stable; `message` is for people. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>
  readonly requestId: string | null
  /** Seconds to wait before a retry can succeed; null if the server did not say. */
  readonly retryAfterSeconds: number | null
  /** The server that refused, such as `https://plumbline.example`; null if the answer does not have its address. */
  readonly origin: string | null

  constructor(response: Response, body: Partial<ApiErrorBody> | undefined) {
    super(body?.message ?? `the server answered ${response.status}`)
    this.name = 'ApiError'
    this.status = response.status
    this.code = body?.code ?? 'UNKNOWN'
    this.details = body?.details ?? {}
    this.requestId = body?.requestId ?? response.headers.get('x-request-id')
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : null
    this.origin = URL.canParse(response.url) ? new URL(response.url).origin : null
  }
}

type Answer = { data?: unknown; error?: unknown; response: Response }
type DataOf<A extends Answer> = NonNullable<A['data']> extends { data?: infer Data } ? Data : undefined

/**
 * `const { members } = await unwrap(client.GET('/organization/{id}/members', …))`
 * @throws ApiError
 */
export async function unwrap<A extends Answer>(answer: Promise<A>): Promise<DataOf<A>> {
  const { data, error, response } = await answer
  if (!response.ok) throw new ApiError(response, isObject(error) ? error : undefined)
  return (isObject(data) ? data.data : undefined) as DataOf<A>
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
