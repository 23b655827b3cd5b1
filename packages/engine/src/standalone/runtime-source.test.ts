import { expect, it } from 'vitest'
// @ts-expect-error: a build script without types
import { bundles, RUNTIME as EXPORTS } from '../../scripts/generate-standalone-runtime.mjs'
import * as runtime from './runtime.js'
import { MATCHER, RUNTIME } from './runtime-source.js'

it('carries the engine as it is now (else: npm run generate)', async () => {
  const bundled = await bundles()
  expect(RUNTIME).toBe(bundled.runtime)
  expect(MATCHER).toBe(bundled.matcher)
})

it('defines everything that the runtime exports', () => {
  expect([...EXPORTS].sort()).toEqual(Object.keys(runtime).sort())
})
