/** The list of guards fits the sources: each text is there once, and each test exists. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ISOLATION, isRun } from '../proof/guard.js'
import { guards } from '../proof/guards.js'
import { TENANT_GUARDS } from '../proof/guards-tenants.js'

const folder = fileURLToPath(new URL('../', import.meta.url))

it.each(guards)('$name', ({ file, find, replace, test }) => {
  const text = readFileSync(join(folder, 'src', file), 'utf8')
  expect(text.split(find).length - 1).toBe(1)
  expect(replace).not.toBe(find)
  expect(isRun(test) || existsSync(join(folder, test))).toBe(true)
})

it('are many, with different names', () => {
  expect(guards.length).toBeGreaterThanOrEqual(50)
  expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length)
  expect(TENANT_GUARDS.filter(({ test }) => test === ISOLATION).length).toBeGreaterThanOrEqual(10)
})
