// `npm run build [-- --force]`: builds what is stale.
import { buildIfStale, installIfNeeded } from './workspace.mjs'

installIfNeeded()
buildIfStale({ force: process.argv.includes('--force') })
