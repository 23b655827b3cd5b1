/**
 * What Redis is used for besides rate limits: notifying other processes at once of what they would find later anyway.
 * Redis is never authoritative: the database has everything that Redis may lose.
 */
import { Redis } from 'ioredis'
import type { Log } from '../log/log.js'

export interface Bus {
  /** Best effort, at most once. The sending process receives it too. */
  publish(channel: string, message: unknown): void
  subscribe(channel: string, listener: (message: unknown) => void): void
  /**
   * True when a message that is published now reaches every process of this database, as far as this process can tell.
   */
  isShared(): boolean
  close(): Promise<void>
}

/** Within one process. */
export function localBus(): Bus {
  const listeners = new Map<string, ((message: unknown) => void)[]>()
  return {
    publish(channel, message) {
      for (const listener of listeners.get(channel) ?? []) listener(message)
    },
    subscribe(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
    },
    isShared: () => false,
    close: async () => undefined,
  }
}

export interface RedisLink {
  readonly redis: Redis
  readonly bus: Bus
  /** @throws when Redis does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

const RETRY_MS_MAX = 5000

/** @param prefix The prefix of channel names, because all databases of a Redis server share its channels. */
export function connectRedis(url: string, log: Log, prefix: string): RedisLink {
  const channels = `${prefix}:bus:`
  const options = {
    // A command that cannot be sent now fails at once, because its caller has a fallback.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt: number) => Math.min(RETRY_MS_MAX, 100 * 2 ** Math.min(attempt, 10)),
  }
  const redis = new Redis(url, options)
  const subscriber = new Redis(url, { ...options, enableOfflineQueue: true, maxRetriesPerRequest: null })
  for (const [name, client] of Object.entries({ redis, subscriber })) {
    client.on('error', (error: Error) => log.write('redis.connection_lost', { error, connection: name }))
    client.on('ready', () => log.write('redis.connection_ready', { connection: name }))
  }
  const local = localBus()
  subscriber.on('message', (channel: string, text: string) => {
    try {
      local.publish(channel.slice(channels.length), JSON.parse(text))
    } catch (error) {
      log.write('bus.message_unreadable', { error, channel })
    }
  })
  return {
    redis,
    bus: {
      publish(channel, message) {
        redis.publish(channels + channel, JSON.stringify(message)).catch((error: unknown) => {
          local.publish(channel, message)
          log.write('bus.publish_failed', { error, channel })
        })
      },
      subscribe(channel, listener) {
        local.subscribe(channel, listener)
        subscriber
          .subscribe(channels + channel)
          .catch((error: unknown) => log.write('bus.subscribe_failed', { error, channel }))
      },
      isShared: () => redis.status === 'ready' && subscriber.status === 'ready',
      close: async () => undefined,
    },
    async ping() {
      await redis.ping()
    },
    async close() {
      redis.disconnect()
      subscriber.disconnect()
    },
  }
}
