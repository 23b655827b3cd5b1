/** Any order of valid calls of a directory gives the same state as a model; `npm run proof -- scim` runs many more. */
import { expect, it } from 'vitest'
import { ScimModel } from '../../../proof/scim/model.js'
import { createRandom } from '../../../proof/world/random.js'
import { directoryOf } from '../../../test/support/scim.js'
import { ssoApp } from '../../../test/support/sso.js'
import { sqliteStore } from '../../../test/support/stores.js'

it('ends equal to a model', async () => {
  const store = await sqliteStore()
  const app = await ssoApp(store)
  const model = new ScimModel(app, await directoryOf(app, 'ann', 'acme.test'), createRandom(11), 'acme.test')
  await model.begin()
  for (let n = 0; n < 60; n++) await model.step()
  await model.compare()
  for (let n = 0; n < 40; n++) await model.compareFilter()
  expect(model.failures).toEqual([])
  expect(app.errors).toEqual([])
  await store.close()
})
