/**
 * The queue for password hashes. Networks take turns, so that many requests from one network do not delay those from
 * another. Every second turn goes to people whom the server knows (by a network that they signed in from, a session, or
 * a link), so that strangers cannot keep them out, no matter how many networks they use. A network is what one party
 * usually holds: a /24 of IPv4, a /48 of IPv6.
 */
import { addressKey } from '../../runtime/http/request-limits.js'

export interface Turn {
  /** The address that the request came from; null or absent if unknown. */
  readonly ip?: string | null
  readonly isKnown?: boolean
}

interface Waiting {
  readonly start: () => void
  readonly giveUp: () => void
}

/** Groups in the order of their next turns. */
type Ring = Map<string, Waiting[]>

export interface Turns {
  /**
   * @returns false when the queue is full. To make room, the longest waiting network loses its newest request to a
   *   network that waits for less, and a stranger loses theirs to a known person.
   */
  add(turn: Turn, waiting: Waiting): boolean
  next(): Waiting | undefined
}

export function createTurns(waitingMax: number): Turns {
  const known: Ring = new Map()
  const strangers: Ring = new Map()
  let count = 0
  let isKnownNext = true

  function longest(): { readonly ring: Ring; readonly group: string; readonly length: number } | null {
    let found: { ring: Ring; group: string; length: number } | null = null
    // Strangers first: when lists are equally long, a stranger loses.
    for (const ring of [strangers, known]) {
      for (const [group, { length }] of ring) if (length > (found?.length ?? 0)) found = { ring, group, length }
    }
    return found
  }

  function makeRoom(ring: Ring, group: string): boolean {
    const own = ring.get(group)?.length ?? 0
    let victim = longest()
    if (victim === null) return false
    if (victim.length <= own + 1) {
      const stranger = ring === known ? [...strangers.keys()].at(-1) : undefined
      if (stranger === undefined) return false
      victim = { ring: strangers, group: stranger, length: 1 }
    }
    const list = victim.ring.get(victim.group)
    const waiting = list?.pop()
    if (list?.length === 0) victim.ring.delete(victim.group)
    count -= 1
    waiting?.giveUp()
    return true
  }

  function take(ring: Ring): Waiting | undefined {
    const [first] = ring
    if (first === undefined) return undefined
    const [group, list] = first
    const waiting = list.shift()
    // The group goes to the end of the ring.
    ring.delete(group)
    if (list.length > 0) ring.set(group, list)
    count -= 1
    return waiting
  }

  return {
    add({ ip = null, isKnown = false }, waiting) {
      const ring = isKnown ? known : strangers
      const group = networkOf(ip)
      if (count >= waitingMax && !makeRoom(ring, group)) return false
      const list = ring.get(group)
      if (list === undefined) ring.set(group, [waiting])
      else list.push(waiting)
      count += 1
      return true
    },
    next() {
      const [first, second] = isKnownNext ? [known, strangers] : [strangers, known]
      isKnownNext = !isKnownNext
      return take(first) ?? take(second)
    },
  }
}

function networkOf(ip: string | null): string {
  // guard: networks-take-turns-at-the-hashes
  if (ip === null) return 'unknown'
  const address = addressKey(ip)
  return address.includes(':') ? address.split(':').slice(0, 3).join(':') : address.split('.').slice(0, 3).join('.')
}
