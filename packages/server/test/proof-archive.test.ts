/** A short run of `npm run proof -- archive`. */
import { expect, it } from 'vitest'
import { proveArchives } from '../proof/archive/prove.js'

it('mutated archives are refused or stay in their folder, within memory and time', async () => {
  const report = await proveArchives({ mutations: 300, seed: 7 })
  expect(report.problems).toEqual([])
  expect(report.accepted).toBeGreaterThan(0)
}, 300_000)
