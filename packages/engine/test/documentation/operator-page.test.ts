import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { operatorPage, operatorPagePath } from '../../scripts/operator-page.js'

it('the page of operators is what the catalogue says (to write it: npm run generate)', () => {
  expect(readFileSync(operatorPagePath, 'utf8')).toBe(operatorPage())
})
