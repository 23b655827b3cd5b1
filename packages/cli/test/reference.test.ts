import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cliReference } from '../scripts/reference.js'
import { commandGroups } from '../src/commands.js'

const folder = new URL('../../../docs/reference/', import.meta.url)
const written = cliReference(commandGroups)

describe('the reference of the command line', () => {
  it.each([...written])('says what the commands say: after a change run `npm run generate` (%s)', (name, text) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text)
  })

  it('has a page for each group, and no other', () => {
    const pages = readdirSync(new URL('cli/', folder)).map((name) => `cli/${name}`)
    expect(pages.sort()).toEqual([...written.keys()].filter((name) => name.startsWith('cli/')).sort())
  })

  it('has no page that is too long to read', () => {
    for (const [name, text] of written) expect(text.length, name).toBeLessThan(64_000)
  })
})
