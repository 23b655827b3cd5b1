import { ApiError } from '@plumbline/client'
import { describe, expect, it } from 'vitest'
import { otherTagsOf } from '../src/screens/images/other-tags.js'

const refusal = (status: number, details: Record<string, unknown>) =>
  new ApiError(new Response(null, { status }), { code: 'CONFLICT', details })

describe('the other tags of an image', () => {
  it('are offered to be deleted with it only if nothing else keeps the image', () => {
    const alone = { tags: ['1.0', 'latest'], indexes: [], plugins: [] }
    expect(otherTagsOf(refusal(409, alone))).toEqual(['1.0', 'latest'])
    expect(otherTagsOf(refusal(409, { ...alone, plugins: [{ name: 'a' }] }))).toEqual([])
    expect(otherTagsOf(refusal(409, { ...alone, indexes: ['sha256:a'] }))).toEqual([])
    expect(otherTagsOf(refusal(503, alone))).toEqual([])
    expect(otherTagsOf(refusal(409, {}))).toEqual([])
    expect(otherTagsOf(new TypeError('Failed to fetch'))).toEqual([])
    expect(otherTagsOf(null)).toEqual([])
  })
})
