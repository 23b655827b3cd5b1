/** `npm run generate`: writes docs/reference/cli.md. */
import { writeFileSync } from 'node:fs'
import { commands } from '../src/commands.js'
import { cliReference } from './reference.js'

writeFileSync(new URL('../../../docs/reference/cli.md', import.meta.url), cliReference(commands))
