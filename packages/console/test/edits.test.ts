import { describe, expect, it } from 'vitest'
import { changesOf, unsaved } from '../src/data/edits.js'

describe('the changes of a form', () => {
  it('are the fields that a person changed, against what is stored now', () => {
    const stored = { name: 'acme', description: '', previews: true }
    expect(changesOf(stored, {})).toEqual({})
    expect(changesOf(stored, { description: 'we ship', previews: true })).toEqual({ description: 'we ship' })
    expect(changesOf({ ...stored, name: 'acme 2' }, { description: 'we ship' })).toEqual({ description: 'we ship' })
    expect(changesOf({ ...stored, description: 'we ship' }, { description: 'we ship' })).toEqual({})
  })

  it('stay after a save when they were typed while it ran', () => {
    const sent: Partial<Record<string, string | boolean>> = { name: 'acme 2', previews: false }
    expect(unsaved(sent, sent)).toEqual({})
    expect(unsaved({ ...sent, description: 'we ship' }, sent)).toEqual({ description: 'we ship' })
    expect(unsaved({ ...sent, name: 'acme 3' }, sent)).toEqual({ name: 'acme 3' })
  })
})
