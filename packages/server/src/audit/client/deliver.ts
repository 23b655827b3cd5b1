/** One request to `POST /audit/events`, and the outcome of each of its events. */

import { SignInRefused, type TokenSource } from '../../runtime/http/service-token.js'
import type { RemoteEvent } from '../event/ingest-schema.js'

export type Delivery = 'delivered' | 'refused' | 'again'

export interface DeliverOptions {
  /** Base URL of the API, such as `https://plumbline.example/api`. */
  readonly url: string
  /** A bearer token of a service principal with the scope `audit:ingest`. */
  readonly token: TokenSource
  readonly timeoutMs: number
  readonly fetch: typeof globalThis.fetch
  readonly onError: (error: unknown) => void
}

/** Worth a retry: the server is busy or does not answer, or the token was about to expire. */
const TRANSIENT = new Set([401, 408, 425, 429])
const isTransient = (status: number) => TRANSIENT.has(status) || status >= 500

/** Never throws. A batch has an outcome for each event. */
export async function deliver(options: DeliverOptions, events: readonly RemoteEvent[]): Promise<Delivery[]> {
  const all = (outcome: Delivery) => events.map(() => outcome)
  try {
    const response = await send(options, events)
    if (isTransient(response.status)) {
      await response.body?.cancel()
      return all('again')
    }
    if (!response.ok) {
      await response.body?.cancel()
      // One event that does not match the schema makes the server refuse the whole batch, so each event is sent alone.
      if (events.length === 1) return all('refused')
      const outcomes: Delivery[] = []
      for (const event of events) outcomes.push(...(await deliver(options, [event])))
      return outcomes
    }
    const body = (await response.json()) as { data?: { results?: { status: number }[] } }
    const results = body.data?.results
    if (results === undefined) return all('delivered')
    return events.map((_, index) => outcomeOf(results[index]?.status ?? 500))
  } catch (error) {
    // A server that does not answer is what the spool is for; refused credentials need an operator.
    if (error instanceof SignInRefused) options.onError(error)
    return all('again')
  }
}

/** If the server refuses the token, the request is sent once more with a new one. */
async function send(options: DeliverOptions, events: readonly RemoteEvent[]): Promise<Response> {
  const [single] = events
  const body = JSON.stringify(events.length === 1 ? single : { events })
  const post = (token: string) =>
    options.fetch(`${options.url}/audit/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
      signal: AbortSignal.timeout(options.timeoutMs),
      redirect: 'error',
    })
  const token = await options.token()
  const response = await post(token)
  if (response.status !== 401) return response
  const renewed = await options.token(token)
  if (renewed === token) return response
  await response.body?.cancel()
  return post(renewed)
}

const outcomeOf = (status: number): Delivery =>
  status === 200 ? 'delivered' : isTransient(status) ? 'again' : 'refused'
