/**
 * The spool as three lists in Redis: ready, in flight, dead. Atomic commands move entries between them. An entry is
 * added to the new list before it is removed from the old one.
 */
import type { Redis } from 'ioredis'
import { SPOOL_MAX, type Spool, type SpoolEntry } from './spool.js'

/** Appends an entry, and drops the oldest ones beyond the limit. */
const PUT = `
redis.call('RPUSH', KEYS[1], ARGV[1])
local over = redis.call('LLEN', KEYS[1]) - tonumber(ARGV[2])
if over <= 0 then return 0 end
redis.call('LTRIM', KEYS[1], over, -1)
return over`

const DEAD_MAX = 10_000

/** @param prefix keeps deployments that share a Redis apart, like the server's own `REDIS_PREFIX`. */
export function redisSpool(redis: Redis, service: string, entriesMax = SPOOL_MAX, prefix = 'plumbline'): Spool {
  const key = (list: string) => `${prefix}:audit-spool:{${service}}:${list}`
  const [ready, inFlight, dead] = [key('ready'), key('in-flight'), key('dead')]

  async function each(
    entries: readonly SpoolEntry[],
    to: (text: string) => [command: 'lpush' | 'rpush', list: string] | null,
  ) {
    if (entries.length === 0) return
    const batch = redis.multi()
    for (const { text } of entries) {
      const target = to(text)
      if (target !== null) batch[target[0]](target[1], text)
      batch.lrem(inFlight, 1, text)
    }
    batch.ltrim(dead, -DEAD_MAX, -1)
    const results = (await batch.exec()) ?? []
    const failed = results.find(([error]) => error !== null)
    if (failed?.[0]) throw failed[0]
  }

  return {
    put: async (text) => Number(await redis.eval(PUT, 1, ready, text, entriesMax)),
    async take(count) {
      const taken: SpoolEntry[] = []
      while (taken.length < count) {
        const text = await redis.lmove(ready, inFlight, 'LEFT', 'RIGHT')
        if (text === null) break
        taken.push({ id: text, text })
      }
      return taken
    },
    ack: (entries) => each(entries, () => null),
    // Each push goes to the front, so the newest entry is pushed first.
    requeue: (entries) => each([...entries].reverse(), () => ['lpush', ready]),
    bury: (entries) => each(entries, () => ['rpush', dead]),
    async buryNew(text) {
      await redis.rpush(dead, text)
      await redis.ltrim(dead, -DEAD_MAX, -1)
    },
    async recover() {
      while ((await redis.lmove(inFlight, ready, 'RIGHT', 'LEFT')) !== null);
    },
    size: async () => (await redis.llen(ready)) + (await redis.llen(inFlight)),
    deadSize: () => redis.llen(dead),
    close: async () => undefined,
  }
}
