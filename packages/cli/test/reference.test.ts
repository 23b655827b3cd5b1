import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cliReference } from '../scripts/reference.js'
import { commands } from '../src/commands.js'

describe('docs/reference/cli.md', () => {
  it('says what the commands say: after a change run `npm run generate`', () => {
    const page = readFileSync(new URL('../../../docs/reference/cli.md', import.meta.url), 'utf8')
    expect(page).toBe(cliReference(commands))
  })
})
