import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SYSTEM_ORG_ID } from '../ids.js'
import { tenantKeyFor } from '../store/tenant-key.js'
import { mergePages, partsOf, scopeOf } from './visible.js'

const TEAM = 'a0000000-0000-4000-8000-000000000001'
const PARENT = 'a0000000-0000-4000-8000-000000000002'

describe('whose records an organization sees', () => {
  it('are its own, what its parent shares, what the system shares', () => {
    expect(partsOf(tenantKeyFor(TEAM, PARENT))).toEqual([
      { orgId: TEAM, isShared: false },
      { orgId: PARENT, isShared: true },
      { orgId: SYSTEM_ORG_ID, isShared: true },
    ])
    expect(partsOf(tenantKeyFor(PARENT, null), 'shared')).toEqual([{ orgId: SYSTEM_ORG_ID, isShared: true }])
    expect(partsOf(tenantKeyFor(PARENT, null), 'own')).toEqual([{ orgId: PARENT, isShared: false }])
  })

  it('are not twice those of the system organization', () => {
    expect(partsOf(tenantKeyFor(SYSTEM_ORG_ID, null))).toEqual([{ orgId: SYSTEM_ORG_ID, isShared: false }])
  })

  it('are its own where private ones are asked for, unless the query says otherwise', () => {
    expect(scopeOf({ accessModifier: 'private' })).toBe('own')
    expect(scopeOf({ accessModifier: 'public' })).toBe('all')
    expect(scopeOf({ accessModifier: 'private', scope: 'shared' })).toBe('shared')
  })
})

describe('a page over several parts', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom('a', 'B', 'é', '\u{10000}', '\uffff'))
  const rows = fc.uniqueArray(fc.tuple(value, fc.uuid()), { maxLength: 12, selector: ([, id]) => id })

  it('is the slice of all of them in order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.boolean().chain((isText) =>
          fc.array(
            rows.map((each) => each.filter(([first]) => (typeof first === 'string') === isText)),
            { maxLength: 3 },
          ),
        ),
        fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 30 }),
        async (parts, order, limit, offset) => {
          const sorted = (each: typeof parts) =>
            each
              .flat()
              .map(([first, id]) => ({ value: first, id }))
              .sort((a, b) => {
                const one = typeof a.value === 'number' ? a.value - Number(b.value) : bytes(a.value, String(b.value))
                return (one || bytes(a.id, b.id)) * (order === 'asc' ? 1 : -1)
              })
          let asked = 0
          const page = await mergePages(
            parts.map((part, index) => async (rowsMax: number, skip: number) => {
              if (index === 0) asked = rowsMax
              return sorted([part]).slice(skip, skip + rowsMax)
            }),
            (row) => row,
            { order, limit, offset },
          )
          expect(page).toEqual(sorted(parts).slice(offset, offset + limit))
          // The first part, which may be large, gives no more than the page and what stands beside it.
          expect(asked).toBeLessThanOrEqual(limit + parts.slice(1).flat().length)
        },
      ),
    ))
})

const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
