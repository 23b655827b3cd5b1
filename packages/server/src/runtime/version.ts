/** The version of this build, from its package.json. */
import { createRequire } from 'node:module'

const here = createRequire(import.meta.url)
// The file lies in `src/runtime`, or bundled in `dist`.
const manifest = here(import.meta.url.endsWith('.ts') ? '../../package.json' : '../package.json') as { version: string }

export const SERVER_VERSION: string = manifest.version
