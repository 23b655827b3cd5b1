/**
 * What an event of the stream makes stale: the topics that it names, or everything after a gap of unknown content. An
 * event without news makes nothing stale.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { newsOf, READ_NAMES, readsOf } from '../src/data/live.js'

describe('news of the stream', () => {
  it('are all reads where the server does not know what was before', () => {
    expect(newsOf('live', { topics: [], resumed: false })).toBeNull()
    expect(newsOf('live', {})).toBeNull()
    expect(newsOf('live', null)).toBeNull()
  })

  it('are the topics that it tells, at a beginning and later', () => {
    expect(newsOf('live', { topics: ['compliance.rule'], resumed: true })).toEqual(['compliance.rule'])
    expect(newsOf('changed', { topics: ['compliance.rule', 7, null] })).toEqual(['compliance.rule'])
  })

  it.each([
    ['live', { topics: [], resumed: true }],
    ['changed', { topics: [] }],
    ['changed', { topics: 'all' }],
    ['error', { topics: ['compliance.rule'] }],
    ['unread', { count: 3 }],
  ])('are none in %s %j', (event, data) => expect(newsOf(event, data)).toBeUndefined())
})

describe('topics', () => {
  it('make the reads of their screens stale, and the trail', () => {
    expect([...readsOf(['compliance.finding'])].sort()).toEqual(['audit', 'findings', 'summary'])
    const ofPipelines = [...readsOf(['pipeline.pipeline', 'pipeline.unheard-of'])].sort()
    expect(ofPipelines).toEqual(['audit', 'findings', 'pipelines', 'summary'])
    // A record that passes again has a check, and no finding that is newer.
    expect(readsOf(['compliance.check'])).toContain('findings')
  })

  it('that no screen shows make the trail stale alone', () => {
    expect([...readsOf(['elsewhere.thing'])]).toEqual(['audit'])
    expect(readsOf([]).size).toBe(0)
  })
})

describe('the names of reads', () => {
  const folder = fileURLToPath(new URL('../src', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  const sources = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  const wordsIn = (pattern: RegExp) =>
    sources.flatMap((source) => [...source.matchAll(pattern)].flatMap(([, text = '']) => text.match(/[\w-]+/g) ?? []))
  const read = new Set(wordsIn(/useRead(?:<[^>]*>)?\(\s*\[\s*'([\w-]+)'/g))

  it('are found in the sources', () => expect(read.size).toBeGreaterThan(40))

  it('that a change or a topic makes stale are those of some read', () => {
    const stale = [...wordsIn(/\b(?:stale|STALE)(?::| =) \[((?:'[a-z-]+'(?:, )?)*)\]/g), ...READ_NAMES]
    expect([...new Set(stale)].filter((name) => !read.has(name))).toEqual([])
  })
})
