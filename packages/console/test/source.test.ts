/** Where a value of a document is, for problems that name it by a JSON pointer. */
import { describe, expect, it } from 'vitest'
import { readSource } from '../src/data/source.js'

const YAML = `project: web
props:
  synth:
    source: {type: github}
  stages:
    - stageName: test
      steps:
        - plugin:
            name: lint
`

describe('a document', () => {
  it('is read with the place of each value', () => {
    const source = readSource(YAML)
    expect(source.value).toMatchObject({ project: 'web', props: { synth: { source: { type: 'github' } } } })
    expect(source.spotOf('/project')).toEqual({ line: 1, column: 1 })
    expect(source.spotOf('/props/synth/source/type')).toEqual({ line: 4, column: 14 })
    expect(source.spotOf('/props/stages/0/steps/0/plugin/name')).toEqual({ line: 9, column: 13 })
  })

  it('places what is missing at the part that would hold it', () => {
    const source = readSource(YAML)
    expect(source.spotOf('/props/synth/plugin')).toEqual({ line: 3, column: 3 })
    expect(source.spotOf('/props/stages/7')).toEqual({ line: 5, column: 3 })
    expect(source.spotOf('')).toEqual({ line: 1, column: 1 })
  })

  it('may be JSON, or a list, and its names may hold a slash', () => {
    expect(readSource('[\n  {"a/b": 1},\n  {"c": 2}\n]').spotOf('/0/a~1b')).toEqual({ line: 2, column: 4 })
    expect(readSource('[\n  {"a/b": 1},\n  {"c": 2}\n]').spotOf('/1/c')).toEqual({ line: 3, column: 4 })
  })

  it('follows an alias', () => {
    expect(readSource('a: &x\n  b: 1\nc: *x\n').spotOf('/c/b')).toEqual({ line: 2, column: 3 })
  })

  it.each([
    ['a: [1', 1],
    ['a: 1\nb: 2\na: 3\n', 3],
    ['a: 1\n---\nb: 2\n', 2],
  ])('that cannot be read says at which line: %j', (text, line) => {
    const { value, problems } = readSource(text)
    expect([value, problems[0]?.line]).toEqual([null, line])
    expect(problems[0]?.message).not.toContain('\n')
  })

  it('with too many aliases is not expanded', () => {
    const bomb = `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`
    expect(readSource(bomb)).toMatchObject({ value: null, problems: [{ line: 1 }] })
  })
})
