/** Every citation of the specification leads to a section that exists. */
import { describe, expect, it, test } from 'vitest'
import { CITED_PAGES, citationsOf, sectionsOf } from '../specification.js'
import { sourceFiles } from './sources.js'

const sections = new Set(CITED_PAGES.flatMap(sectionsOf))
const unresolved = (text: string) => citationsOf(text).filter((citation) => !sections.has(citation))

describe('the specification', () => {
  test.each(CITED_PAGES)('%s numbers its sections once each, in order', (page) => {
    const numbers = sectionsOf(page).map((section) => section.split(' ')[2] as string)
    expect(new Set(numbers).size).toBe(numbers.length)
    const order = numbers.map((number) => number.split('.').map((part) => Number.parseInt(part, 10)))
    expect([...order].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)).toEqual(order)
  })
})

describe('a citation', () => {
  it('of the specification resolves, in every source and page', () => {
    const files = sourceFiles().filter(({ path }) => path !== 'scripts/test/specification.test.ts')
    expect(files.flatMap(({ text }) => citationsOf(text)).length).toBeGreaterThan(300)
    expect(files.flatMap(({ path, text }) => unresolved(text).map((citation) => `${path}: ${citation}`))).toEqual([])
  })

  it.each([
    'spec compliance 4.99',
    'spec platform 99',
    'spec kitchen 1',
    'Source: spec\n * platform 1.5 to 1.88; ADR 1.',
    'spec compliance 4.5, 4.77 and 8',
  ])('of a section that is not there is found: %s', (text) => {
    expect(unresolved(text)).toHaveLength(1)
  })

  it('names a document of this repository', () => {
    const outside = /\b(?:compliance|platform|billing|audit)\s(?:\*\s)?decisions\b|\b[Rr]ulings?\b/
    const found = sourceFiles().flatMap(({ path, text }) => {
      const match = path === 'scripts/test/specification.test.ts' ? null : outside.exec(text)
      return match ? [`${path}: ${match[0]}`] : []
    })
    expect(found).toEqual([])
  })
})
