// `npm test [-- vitest arguments]`: installs and builds what is missing, then runs every test.
import { buildIfStale, installIfNeeded, status, tool } from './workspace.mjs'

await installIfNeeded()
await buildIfStale()
process.exitCode = status(tool('vitest'), ['run', '--config', 'vitest.workspace.ts', ...process.argv.slice(2)])
