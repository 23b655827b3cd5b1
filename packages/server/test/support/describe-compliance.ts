/**
 * Test suites of compliance. They are separate from `compliance.ts`, which programs outside of a test run import too.
 */
import { afterAll, beforeAll, expect } from 'vitest'
import { type ComplianceApp, complianceApp } from './compliance.js'
import { describeStores, type StoreName } from './describe-stores.js'
import type { AppSetup } from './sign-in.js'

export interface ComplianceSuite extends AppSetup {
  readonly stores: readonly StoreName[]
}

/**
 * Runs a suite on each database with its own app. The kit is empty until hooks and tests run.
 * At the end of the suite, no error may have occurred inside the server.
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
