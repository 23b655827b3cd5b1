/** Test suites of messages, like those of compliance in `describe-compliance.ts`. */
import { afterAll, beforeAll, expect } from 'vitest'
import { describeStores, type StoreName } from './describe-stores.js'
import { type MessageApp, messageApp } from './messages.js'

/**
 * Runs a suite on each database with its own app and a folder for files. The kit is empty until hooks and tests run.
 */
export const describeMessages = (
  title: string,
  stores: readonly StoreName[],
  suite: (app: MessageApp, store: StoreName) => void,
): Promise<void> =>
  describeStores(title, stores, (open, store) => {
    const app = {} as MessageApp
    beforeAll(async () => {
      Object.assign(app, await messageApp(await open()))
    })
    afterAll(async () => {
      expect(app.errors.map(String)).toEqual([])
      await app.identity.settle()
      await app.runtime.store.close()
      app.removeFiles()
    })
    suite(app, store)
  })
