/** Suites of compliance. Apart from `compliance.ts`, which programs outside of a test run use too. */
import { afterAll, beforeAll, expect } from 'vitest'
import { type ComplianceApp, complianceApp } from './compliance.js'
import { describeStores, type StoreName } from './describe-stores.js'
import type { AppSetup } from './sign-in.js'

export interface ComplianceSuite extends AppSetup {
  readonly stores: readonly StoreName[]
}

/**
 * The same suite on each database, on an app of its own. The kit is empty until the hooks and tests run.
 * By the end of the suite nothing may have failed inside of the server.
 */
export const describeCompliance = (
  title: string,
  { stores, ...setup }: ComplianceSuite,
  suite: (kit: ComplianceApp, store: StoreName) => void,
): Promise<void> =>
  describeStores(title, stores, (open, store) => {
    const kit = {} as ComplianceApp
    beforeAll(async () => {
      Object.assign(kit, await complianceApp(await open(), setup))
    })
    afterAll(async () => {
      expect(kit.app.errors.map(String)).toEqual([])
      await kit.store.close()
    })
    suite(kit, store)
  })
