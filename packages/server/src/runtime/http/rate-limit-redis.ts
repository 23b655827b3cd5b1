/**
 * Shares the counts between all replicas, in Redis: one script for each request, so that two replicas never both take
 * the last place. When Redis does not answer in time, each replica counts alone; a limit then applies to each replica,
 * and no request waits for Redis. Source: spec platform 26.3.
 */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { type Counted, memoryRateStore, type RateStore } from './rate-limit.js'

/** KEYS: the window. ARGV: now, window, slot length, max, the number of the slot of now. */
const COUNT = `
local now, window, slotMs, max = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local fields = redis.call('HGETALL', KEYS[1])
local used, oldest = 0, tonumber(ARGV[5])
for i = 1, #fields, 2 do
  local slot = tonumber(fields[i])
  if (slot + 1) * slotMs + window <= now then
    redis.call('HDEL', KEYS[1], fields[i])
  else
    used = used + tonumber(fields[i + 1])
    if slot < oldest then oldest = slot end
  end
end
if used >= max then return {0, used, oldest} end
redis.call('HINCRBY', KEYS[1], ARGV[5], 1)
redis.call('PEXPIRE', KEYS[1], window + slotMs)
return {1, used + 1, oldest}
`

const ANSWER_MS_MAX = 250

export interface RedisRateOptions {
  readonly redis: Redis
  /** The prefix of every key. */
  readonly prefix: string
  /** Called once for each request that was counted in this process instead. */
  readonly onFallback?: (error: unknown) => void
}

export function redisRateStore({ redis, prefix, onFallback }: RedisRateOptions): RateStore {
  const alone = memoryRateStore()
  redis.defineCommand('plumblineCount', { numberOfKeys: 1, lua: COUNT })
  const script = redis as unknown as {
    plumblineCount(key: string, ...args: number[]): Promise<[allowed: number, used: number, oldest: number]>
  }
  return {
    async count(request) {
      const { key, nowMs, windowMs, slotMs, max } = request
      try {
        if (redis.status !== 'ready') throw new Error(`Redis is ${redis.status}`)
        const [allowed, used, oldestSlot] = await inTime(
          // Addresses and ids leave the process only as digests.
          script.plumblineCount(prefix + digest(key), nowMs, windowMs, slotMs, max, Math.floor(nowMs / slotMs)),
        )
        return { allowed: allowed === 1, used, oldestSlot } satisfies Counted
      } catch (error) {
        onFallback?.(error)
        return alone.count(request)
      }
    },
  }
}

const digest = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 22)

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Redis did not answer in time')), ANSWER_MS_MAX)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
