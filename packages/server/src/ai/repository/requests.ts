/**
 * Requests to the API of one forge: few, small, within one time limit, to one origin. Redirects are not followed, so
 * that a token reaches only the host that it is for.
 */
import { type Egress, EgressFailed } from '../../runtime/egress/egress.js'
import { readTarget } from '../../runtime/egress/target.js'
import { type FieldIssue, Refusal } from '../../runtime/errors.js'
import type { GitHost } from './hosts.js'

export const REQUESTS_MAX = 20
export const READ_MS = 20_000
const LIST_BYTES_MAX = 4 << 20

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A problem with the repository, reported for the field that names it. */
export function repositoryRefusal(code: 'NOT_FOUND' | 'VALIDATION_ERROR', issue: FieldIssue): Refusal {
  return new Refusal(code, `${issue.path}: ${issue.message}`, { details: { issues: [issue] } })
}

export interface ForgeRequests {
  readonly left: number
  /**
   * @throws Refusal 502 or 504 when the forge does not answer, 400 when it redirects; the signal's reason when it is
   *   aborted.
   */
  get(path: string, bytesMax?: number): Promise<Answer>
}

export interface Way {
  readonly egress: Egress
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  readonly token: string | null
  /** The total time limit; READ_MS, except in tests. */
  readonly ms?: number
}

export function requestsTo(
  { api, host, isVouched }: GitHost,
  { egress, signal, token, ms = READ_MS }: Way,
): ForgeRequests {
  const { origin } = new URL(api)
  const late = AbortSignal.timeout(ms)
  let left = REQUESTS_MAX
  return {
    get left() {
      return left
    },
    async get(path, bytesMax = LIST_BYTES_MAX) {
      // guard: requests-to-a-forge-are-counted
      if (left <= 0)
        throw new Refusal('UPSTREAM_ERROR', `reading the repository needs more than ${REQUESTS_MAX} requests`)
      left -= 1
      const target = readTarget(`${api}${path}`, isVouched ? [origin] : [])
      if (typeof target === 'string') throw new Refusal('UPSTREAM_ERROR', `the address of ${host} ${target}`)
      const headers = {
        accept: 'application/json',
        'user-agent': 'plumbline',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      }
      try {
        const ends = AbortSignal.any([signal, late])
        const answer = await egress.fetch(target, { method: 'GET', headers, signal: ends }, { bytesMax, timeoutMs: ms })
        return { status: answer.status, headers: answer.headers, text: await answer.text() }
      } catch (error) {
        throw reasonOf(error, { host, signal, late, ms })
      }
    },
  }
}

interface Ends {
  readonly host: string
  readonly signal: AbortSignal
  readonly late: AbortSignal
  readonly ms: number
}

function reasonOf(error: unknown, { host, signal, late, ms }: Ends): unknown {
  if (signal.aborted) return signal.reason
  if (late.aborted) return new Refusal('UPSTREAM_TIMEOUT', `${host} did not answer within ${ms} ms: try again`)
  if (!(error instanceof EgressFailed)) return error
  if (error.kind === 'late') return new Refusal('UPSTREAM_TIMEOUT', `${host} did not answer in time: try again`)
  if (error.kind === 'redirect') {
    return repositoryRefusal('VALIDATION_ERROR', {
      path: '/body/gitUrl',
      message: 'redirects: the repository was moved or renamed, so send its new address',
      code: 'repository_moved',
    })
  }
  if (error.kind === 'too-large') return new Refusal('UPSTREAM_ERROR', `${host} sent an answer that is too large`)
  return new Refusal('UPSTREAM_ERROR', `${host} cannot be reached: ${error.message}`)
}

/** @throws Refusal for every status except 200, reported for the field that the caller can change. */
export function expectFound({ status, headers }: Answer, host: string, hasToken: boolean): void {
  if (status === 200) return
  const field = (path: string, message: string, code: string) => ({ path, message, code })
  if (status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0')) {
    throw new Refusal(
      'UPSTREAM_ERROR',
      `${host} refuses more requests from this server (${status}): try again later, or send \`repoToken\``,
    )
  }
  if (hasToken && (status === 401 || status === 403)) {
    const message = `was refused by ${host} (${status}): send a token that can read the repository`
    throw repositoryRefusal('VALIDATION_ERROR', field('/body/repoToken', message, 'token_refused'))
  }
  // Forges answer 404 for private repositories, and some answer 401 or 403.
  if ([401, 403, 404, 410].includes(status)) {
    const way = hasToken ? 'the token cannot read it' : 'it is private: send `repoToken`'
    const message = `${host} has no such repository, or ${way}`
    throw repositoryRefusal('NOT_FOUND', field('/body/gitUrl', message, 'repository_missing'))
  }
  throw new Refusal('UPSTREAM_ERROR', `${host} answered ${status}: try again later`)
}

/** @throws Refusal 502 for anything except JSON of this shape. */
export function jsonOf<T extends object>({ text }: Pick<Answer, 'text'>, host: string): T {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as T
  } catch {
    // Refused below.
  }
  throw new Refusal('UPSTREAM_ERROR', `${host} sent something that is not JSON`)
}
