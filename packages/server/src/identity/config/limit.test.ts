/** People behind one address can open the console often, but a flood is still refused. */
import { expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { identityApp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { heldClock } from '../../runtime/clock.js'
import { createLimiter, memoryRateStore } from '../../runtime/http/rate-limit.js'
import { bucketsOf, tierFactors } from '../../runtime/operation/buckets.js'
import { getConfig } from './get.js'

it('counts looks at what the server offers apart from other requests without a credential', async () => {
  const store = await sqliteStore()
  const settings = testSettings()
  const limiter = createLimiter({
    clock: heldClock(Date.parse('2026-11-21T10:00:00.000Z')),
    store: memoryRateStore(),
    buckets: bucketsOf(settings),
    tierFactors: tierFactors(settings),
  })
  const app = await identityApp(store, { operations: [getConfig], limiter })
  const times = async (count: number, path: string) => {
    const statuses = new Map<number, number>()
    for (let n = 0; n < count; n++) {
      const { status } = await app.call('GET', path)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    return Object.fromEntries(statuses)
  }
  expect(await times(601, '/config')).toEqual({ 200: 600, 429: 1 })
  expect(await times(101, '/auth/me')).toEqual({ 401: 100, 429: 1 })
  expect(app.errors).toEqual([])
  await store.close()
})
