// `npm run bench [-- area …] [--quick] [--write]`: measures the built packages; see bench/src/main.ts.
import { buildIfStale, installIfNeeded, status, tool } from './workspace.mjs'

await installIfNeeded()
await buildIfStale()
process.exitCode = status(tool('tsx'), [
  '--tsconfig',
  'bench/tsconfig.json',
  '--expose-gc',
  'bench/src/main.ts',
  ...process.argv.slice(2),
])
