/** One request to `POST /audit/events`: what became of each of its events. */
import type { RemoteEvent } from '../event/ingest-schema.js'

export type Delivery = 'delivered' | 'refused' | 'again'

export interface DeliverOptions {
  /** Base of the API, such as `https://plumbline.example/api`. */
  readonly url: string
  /** A bearer token of a service principal with the scope `audit:ingest`. */
  readonly token: () => Promise<string>
  readonly timeoutMs: number
  readonly fetch: typeof globalThis.fetch
}

/** Worth another attempt: the server is busy, away, or the token was about to expire. */
const TRANSIENT = new Set([401, 408, 425, 429])
const isTransient = (status: number) => TRANSIENT.has(status) || status >= 500

/** Never throws. A batch is answered event by event. */
export async function deliver(options: DeliverOptions, events: readonly RemoteEvent[]): Promise<Delivery[]> {
  const all = (outcome: Delivery) => events.map(() => outcome)
  try {
    const [single] = events
    const response = await options.fetch(`${options.url}/audit/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await options.token()}` },
      body: JSON.stringify(events.length === 1 ? single : { events }),
      signal: AbortSignal.timeout(options.timeoutMs),
      redirect: 'error',
    })
    if (isTransient(response.status)) {
      await response.body?.cancel()
      return all('again')
    }
    if (!response.ok) {
      await response.body?.cancel()
      // One event that is off the schema refuses the whole batch: the others must not suffer for it.
      if (events.length === 1) return all('refused')
      const outcomes: Delivery[] = []
      for (const event of events) outcomes.push(...(await deliver(options, [event])))
      return outcomes
    }
    const body = (await response.json()) as { data?: { results?: { status: number }[] } }
    const results = body.data?.results
    if (results === undefined) return all('delivered')
    return events.map((_, index) => outcomeOf(results[index]?.status ?? 500))
  } catch {
    return all('again')
  }
}

const outcomeOf = (status: number): Delivery =>
  status === 200 ? 'delivered' : isTransient(status) ? 'again' : 'refused'
