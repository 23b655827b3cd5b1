/**
 * What a person or a test can do to the fake marketplace: buyers, entitlements, its clock, its faults, and the topic of
 * its notices.
 */
import { DAY_MS, HOUR_MS } from '../../../runtime/clock.js'
import { FAULT_KINDS, type Fault, type Faults } from '../card/faults.js'
import { ACTIONS, type Action, type Envelope } from './notice.js'
import { type Entitled, registrationToken, type State, type Subscriber, sell } from './state.js'

/** How notices are sent. */
export interface Deliveries {
  mode: 'send' | 'drop' | 'double' | 'hold'
}

/** What can be done to the marketplace. */
export interface Controlled {
  readonly state: State
  readonly faults: Faults
  readonly deliveries: Deliveries
  readonly notices: readonly Envelope[]
  takes: number
  version: '1' | '2'
  nowMs(): number
  advance(ms: number): void
  tell(subscriber: Subscriber, action: Action): Envelope
  send(envelope: Envelope): void
  release(order?: (held: readonly Envelope[]) => readonly Envelope[]): void
  subscribe(endpoint: string): Envelope
}

type Given = Readonly<Record<string, unknown>>
interface Answer {
  readonly status: number
  readonly text: string
}

const json = (value: object, status = 200): Answer => ({ status, text: `${JSON.stringify(value, null, 2)}\n` })
const whole = (value: unknown, otherwise = 0): number => {
  const number = Number(value ?? otherwise)
  return Number.isSafeInteger(number) ? number : otherwise
}

/** `{"dimension": "pro", "value": 1, "days": 30}`; nothing for a dimension that is empty. */
function entitledOf(fake: Controlled, given: Given): Entitled[] {
  const { dimension, value, days } = given
  if (typeof dimension !== 'string' || dimension === '') return []
  const isValue = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
  const expiresAtMs = days === undefined ? null : fake.nowMs() + whole(days) * DAY_MS
  return [{ dimension, value: isValue ? value : 1, expiresAtMs }]
}

const NOBODY = json({ error: 'there is no such subscriber: GET /_fake/state lists them' }, 404)

const CONTROLS: Readonly<Record<string, (fake: Controlled, id: string, given: Given) => Answer>> = {
  'GET state': (fake) =>
    json({
      now: new Date(fake.nowMs()).toISOString(),
      productCode: fake.state.productCode,
      subscribers: [...fake.state.subscribers.values()],
      metered: [...fake.state.metered.values()].map(({ hourMs, ...each }) => ({
        ...each,
        hour: new Date(hourMs).toISOString().slice(0, 13),
      })),
      endpoints: [...fake.state.endpoints].map(([url, { confirmed }]) => ({ url, confirmed })),
      notices: fake.notices.map(({ MessageId, Timestamp, Message }) => ({ MessageId, Timestamp, Message })),
      deliveries: fake.deliveries,
    }),
  'POST clock': (fake, _id, given) => {
    fake.advance(whole(given['days']) * DAY_MS + whole(given['hours']) * HOUR_MS + whole(given['ms']))
    return json({ now: new Date(fake.nowMs()).toISOString() })
  },
  'POST buy': (fake, _id, given) => {
    const kind = given['kind'] === 'customer' ? 'customer' : 'license'
    const subscriber = sell(fake.state, { kind, entitlements: entitledOf(fake, given) })
    const token = registrationToken(fake.state, subscriber, fake.nowMs())
    fake.tell(subscriber, 'subscribe-success')
    return json({ subscriber, token })
  },
  'POST token': (fake, id) => {
    const subscriber = fake.state.subscribers.get(id)
    if (subscriber === undefined) return NOBODY
    return json({ token: registrationToken(fake.state, subscriber, fake.nowMs()) })
  },
  'POST entitle': (fake, id, given) => {
    const subscriber = fake.state.subscribers.get(id)
    if (subscriber === undefined) return NOBODY
    subscriber.entitlements = entitledOf(fake, given)
    fake.tell(subscriber, 'entitlement-updated')
    return json({ subscriber })
  },
  'POST cancel': (fake, id) => {
    const subscriber = fake.state.subscribers.get(id)
    if (subscriber === undefined) return NOBODY
    fake.tell(subscriber, 'unsubscribe-pending')
    subscriber.entitlements = []
    subscriber.isSubscribed = false
    fake.tell(subscriber, 'unsubscribe-success')
    return json({ subscriber })
  },
  'POST tell': (fake, id, given) => {
    const subscriber = fake.state.subscribers.get(id)
    const action = ACTIONS.find((each) => each === given['action'])
    if (subscriber === undefined) return NOBODY
    if (action === undefined) return json({ error: `action is one of ${ACTIONS.join(', ')}` }, 400)
    return json({ told: fake.tell(subscriber, action).MessageId })
  },
  'POST resend': (fake, id) => {
    const envelope = fake.notices.find(({ MessageId }) => MessageId === id)
    if (envelope === undefined) return json({ error: 'there is no such notice' }, 404)
    fake.send(envelope)
    return json({ sent: id })
  },
  'POST faults': (fake, _id, given) => {
    if (given['clear'] === true) {
      fake.faults.clear()
      fake.takes = Number.POSITIVE_INFINITY
    }
    if (given['takes'] !== undefined) fake.takes = whole(given['takes'], 25)
    const { kind } = given
    if (kind === undefined) return json({ takes: Number.isFinite(fake.takes) ? fake.takes : 'all' })
    if (!FAULT_KINDS.some((each) => each === kind))
      return json({ error: `kind is one of ${FAULT_KINDS.join(', ')}` }, 400)
    fake.faults.add(given as unknown as Fault)
    return json({ added: given })
  },
  'POST deliveries': (fake, _id, given) => {
    const { mode, version } = given
    if (mode === 'send' || mode === 'drop' || mode === 'double' || mode === 'hold') fake.deliveries.mode = mode
    if (version === '1' || version === '2') fake.version = version
    if (mode === 'send') fake.release(given['reorder'] === true ? (held) => held.toReversed() : undefined)
    return json({ deliveries: fake.deliveries, version: fake.version })
  },
  'POST subscribe': (fake, _id, given) => {
    const { url } = given
    if (typeof url !== 'string' || !URL.canParse(url)) return json({ error: 'url is an address' }, 400)
    return json({ asked: fake.subscribe(url).MessageId })
  },
}

export function answerControl(fake: Controlled, method: string, url: URL, body: string): Answer {
  const [, , name = '', id = ''] = url.pathname.split('/')
  const control = CONTROLS[`${method} ${name}`]
  if (control === undefined) return json({ error: `ask ${Object.keys(CONTROLS).join(', ')} below /_fake` }, 404)
  let given: unknown = Object.fromEntries(url.searchParams)
  try {
    if (body.startsWith('{')) given = { ...(given as object), ...JSON.parse(body) }
  } catch {
    return json({ error: 'the body is not JSON' }, 400)
  }
  return control(fake, id, given as Given)
}
