/** `npm run generate`: writes docs/reference/cli.md and the pages below docs/reference/cli. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { commandGroups } from '../src/commands.js'
import { cliReference } from './reference.js'

const folder = new URL('../../../docs/reference/', import.meta.url)
// A page of a group that is gone must not stay.
rmSync(new URL('cli/', folder), { recursive: true, force: true })
mkdirSync(new URL('cli/', folder), { recursive: true })
for (const [name, text] of cliReference(commandGroups)) writeFileSync(new URL(name, folder), text)
