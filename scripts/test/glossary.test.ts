/** One word for one idea: the glossary lists each term only once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './pages.js'

/** The terms of the first column. A row may list several. Upper and lower case differ: a Role is not a role. */
const termsOf = (page: string): string[] =>
  [...page.matchAll(/^\| (?!-)([^|]+) \|/gm)]
    .flatMap(([, cell = '']) => cell.replaceAll(/ \(.*?\)/g, '').split(', '))
    .filter((term) => term !== 'Word')

const repeated = (terms: readonly string[]) => terms.filter((term, index) => terms.indexOf(term) !== index)

it('the glossary lists no term twice', () => {
  const terms = termsOf(readFileSync(join(root, 'docs', 'glossary.md'), 'utf8'))
  expect(terms.length).toBeGreaterThan(100)
  expect(repeated(terms)).toEqual([])
})

it('a term is found twice with a qualifier in brackets too', () => {
  expect(repeated(termsOf('| Word | Means |\n|---|---|\n| drain | a |\n| drain (process) | b |\n'))).toEqual(['drain'])
})
