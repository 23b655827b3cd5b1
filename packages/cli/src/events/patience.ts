/**
 * Sends the same request again when the server asks to wait. What was sent before counts once, so a file is sent to its
 * end however long it is.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@plumbline/client'
import type { Io } from '../command.js'
import { write } from '../program/write.js'

/** A longer wait ends the command. */
const WAIT_SECONDS_MAX = 300
const TOO_MANY = 429

export async function patiently<T>(io: Io, send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send()
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === TOO_MANY ? error.retryAfterSeconds : null
      if (seconds === null || seconds > WAIT_SECONDS_MAX) throw error
      await write(io.stderr, `the server takes no more for now: waiting ${seconds} s\n`)
      await sleep(seconds * 1000)
    }
  }
}
