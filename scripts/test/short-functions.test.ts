/** No function is longer than a screen. A longer one must be split into named parts. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { longFunctions } from '../long-functions.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LINES_MAX = 70

const longIn = (file: string, text: string): string[] =>
  longFunctions(file, text, LINES_MAX).map(({ name }) => `${file} ${name}`)

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(packages|bench|examples|scripts)\//.test(file) && !/\.test(-d)?\.ts$/.test(file))
  .filter((file) => file !== 'packages/client/src/api.ts')

test(`no function has more than ${LINES_MAX} lines but tables of data and suites of tests`, () => {
  expect(files.length).toBeGreaterThan(1000)
  const found = files.flatMap((file) => longIn(file, readFileSync(join(root, file), 'utf8')))
  expect(found).toEqual([])
})

test('a function of one line too many is found, whatever form it has', () => {
  const lines = (count: number) => 'void 0\n'.repeat(count)
  const forms = (count: number) => [
    `function long() {\n${lines(count - 2)}}`,
    `const long = async () => {\n${lines(count - 2)}}`,
    `class C {\nlong() {\n${lines(count - 2)}}\n}`,
    `const o = { long: function () {\n${lines(count - 2)}} }`,
  ]
  for (const form of forms(LINES_MAX)) expect(longIn('a.ts', form)).toEqual([])
  for (const form of forms(LINES_MAX + 1)) expect(longIn('a.ts', form)).toEqual(['a.ts long'])
  const data = `const table = () => ({\n${'a: 1,\n'.repeat(LINES_MAX)}})`
  expect(longIn('a.ts', data)).toEqual([])
})
