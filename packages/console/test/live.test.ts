/**
 * What an event of the stream makes stale: the topics that it names, or everything after a gap of unknown content. An
 * event without news makes nothing stale.
 */
import { describe, expect, it } from 'vitest'
import { newsOf, readsOf } from '../src/data/live.js'

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
    expect([...readsOf(['pipeline.pipeline', 'pipeline.unheard-of'])].sort()).toEqual(['audit', 'pipelines'])
  })

  it('that no screen shows make the trail stale alone', () => {
    expect([...readsOf(['elsewhere.thing'])]).toEqual(['audit'])
    expect(readsOf([]).size).toBe(0)
  })
})
