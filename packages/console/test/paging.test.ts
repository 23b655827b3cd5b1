import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isBeyond } from '../src/ui/table.js'

describe('a page', () => {
  it('is beyond the end only if there are rows before it', () => {
    expect(isBeyond({ page: 2, size: 50, total: 50 })).toBe(true)
    expect(isBeyond({ page: 3, size: 50, total: 101 })).toBe(false)
    expect(isBeyond({ page: 1, size: 50, total: 7 })).toBe(false)
    expect(isBeyond({ page: 3, size: 50, total: 0 })).toBe(false)
  })
})

/** Requests with a limit of their own, and why they may have one: what they leave out is said, or nothing is. */
const OWN_LIMITS = [
  'app/palette.tsx', // the best matches of a search
  'data/checks.tsx', // with the number of all, and a link to them
  'data/names.ts', // names of the ids that are shown; without one the end of the id is shown
  'data/pick.tsx', // says how many it leaves out
  'screens/audit/screen.tsx', // one event, by its id
  'screens/library/screen.tsx', // one rule or subscription, by its id
  'screens/organization/deliveries.tsx', // the attempts of one delivery, the newest
  'screens/organization/notifications.tsx', // one delivery, by its id
  'screens/overview/screen.tsx', // the number alone
  'screens/policies/form.tsx', // says how many it leaves out
  'screens/rules/inventory.ts', // the server counts the others
]

it('no list asks for one page of its own: all others have the pages of `pageOf`', () => {
  const sources = fileURLToPath(new URL('../src', import.meta.url))
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  const limited = files.filter((file) =>
    /\blimit: (?:\d|[A-Z][A-Z_]+\b)/.test(readFileSync(join(sources, file), 'utf8')),
  )
  expect(limited.filter((file) => file !== 'data/rows.tsx').sort()).toEqual([...OWN_LIMITS].sort())
})
