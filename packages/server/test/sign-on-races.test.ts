/** Sign-ins, a directory and an administrator in the same moment; `npm run proof -- sign-on --races N` runs more of each. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPlace, type Place } from '../proof/sign-on/place.js'
import { groupAndHand, lastSeat, RACE_SEATS, twoFirstSignIns, withMappedGroup } from '../proof/sign-on/races.js'
import type { Store } from '../src/runtime/store/db.js'
import { describeStores } from './support/describe-stores.js'

const ROUNDS = 10
const rounds = [...Array(ROUNDS).keys()]

await describeStores('races of sign-on', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store & { close(): Promise<void> }
  let place: Place
  let wide: Place
  beforeAll(async () => {
    store = (await open()) as typeof store
    place = await openPlace(store, { seats: RACE_SEATS })
    wide = await openPlace(store, { seats: 100 })
  })
  afterAll(async () => {
    expect([...place.app.errors, ...wide.app.errors].map(String)).toEqual([])
    await place.close()
    await wide.close()
    await store.close()
  })

  it('give out the last seat once', { timeout: 120_000 }, async () => {
    for (const n of rounds) expect(await lastSeat(place, `seats-${n}`)).toEqual([])
  })

  it('make one account of two first sign-ins', { timeout: 120_000 }, async () => {
    for (const n of rounds) expect(await twoFirstSignIns(wide, `twice-${n}`)).toEqual([])
  })

  it('keep a Role that was given by hand while groups change', { timeout: 120_000 }, async () => {
    const { company, roleId } = await withMappedGroup(wide, 'hands')
    for (const n of rounds) expect(await groupAndHand(company, wide.app, roleId, n)).toEqual([])
  })
})
