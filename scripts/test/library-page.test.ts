/** docs/reference/library.md names every export of the engine, so that a reader finds what an import offers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as engine from '@plumbline/engine'
import { expect, it } from 'vitest'
import { root } from './pages.js'

it('names each value that `@plumbline/engine` exports', () => {
  const page = readFileSync(join(root, 'docs/reference/library.md'), 'utf8')
  const words = new Set(page.match(/\w+/g))
  const names = Object.keys(engine)
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !words.has(name))).toEqual([])
})
