/** Decision records can be found by subject: each has a head, and the index lists each one under its topic. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { decisionFiles, decisionIndex, decisionsFolder, readDecision, TOPICS } from '../decisions.js'
import { sourceFiles } from './sources.js'

const files = decisionFiles()

describe('a decision record', () => {
  test.each(files)('%s has a title, a date, a status and a topic of the index', (file) => {
    const { number, title, date, status, topic } = readDecision(file)
    expect(file).toMatch(new RegExp(`^${String(number).padStart(4, '0')}-[a-z0-9-]+\\.md$`))
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
    expect(status).toMatch(/^(accepted|superseded by \[\d+\]\(.+\))(; .+)?$/)
    expect(TOPICS).toContain(topic)
    expect(title.length).toBeLessThanOrEqual(80)
  })

  it('that says it supersedes another is named in the status of the other', () => {
    const decisions = files.map(readDecision)
    const silent = decisions.flatMap(({ file, status }) =>
      [...status.matchAll(/supersedes.*?\]\((.+?)\)/g)]
        .map(([, other = '']) => decisions.find((each) => each.file === other))
        .filter((other) => !other?.status.includes(file))
        .map((other) => `${file}: ${other?.file} does not say so`),
    )
    expect(silent).toEqual([])
  })

  it('has a number of its own', () => {
    const numbers = files.map((file) => readDecision(file).number)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})

it('the index lists every record; `npm run generate` writes it', () => {
  expect(readFileSync(join(decisionsFolder, 'README.md'), 'utf8')).toBe(decisionIndex(files.map(readDecision)))
})

it('every record that a source or page cites exists', () => {
  const numbers = new Set(files.map((file) => readDecision(file).number))
  const missing = sourceFiles().flatMap(({ path, text }) =>
    [...text.matchAll(/\bADRs? (\d+(?:(?:, | and | to )\d+)*)/g)].flatMap(([cited, list = '']) =>
      list.split(/\D+/).every((number) => numbers.has(Number(number))) ? [] : [`${path}: ${cited}`],
    ),
  )
  expect(missing).toEqual([])
})
