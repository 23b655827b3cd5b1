import { describe, expect, it } from 'vitest'
import { guessTarget } from './target.js'

describe('guessTarget', () => {
  it.each([
    [['name', 'pluginType', 'commands'], 'plugin'],
    [['name', 'version'], 'plugin'],
    [['name', 'timeout'], 'plugin'],
    [['name', 'stages'], 'pipeline'],
    [['project', 'organization', 'props'], 'pipeline'],
    // Both kinds may have these: the telling keys decide.
    [['name', 'version', 'stages'], 'pipeline'],
    [['project', 'pluginType', 'commands'], 'plugin'],
    // As many of one as of the other, or none: no answer is better than a wrong one.
    [['project', 'pluginType'], null],
    [['name', 'description'], null],
    // `config.yaml` beside a specification.
    [['buildType'], null],
    [['buildType', 'dockerfile', 'imageTag', 'pluginSpec'], null],
    [['name', 'buildType'], 'plugin'],
    [[], null],
  ])('%j is %s', (keys, expected) => {
    expect(guessTarget(Object.fromEntries(keys.map((key) => [key, 1])))).toBe(expected)
  })

  it('looks at own keys alone', () => {
    expect(guessTarget(Object.create({ stages: [] }))).toBeNull()
  })
})
