/**
 * The web console: static files of this process that use only the public API. If the build is missing, a page says how
 * to make it.
 */
import { fileURLToPath } from 'node:url'
import { defineDomain } from '../runtime/manifest.js'
import { consoleDeclarations } from './declarations.js'
import { consoleRegistration } from './registration.js'

/** Next to the build of the server, where the console's build writes it; the sources look there too. */
const FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/console' : './console', import.meta.url),
)

export const webConsole = defineDomain({
  ...consoleDeclarations,
  operations: [],
  registration: consoleRegistration,
  site: {
    folder: FOLDER,
    prefix: '/console',
    // Addresses that people type, and those in e-mail links.
    entries: ['/', '/reset-password', '/verify-email', '/restore-email', '/invite/accept'],
    missing: {
      path: '/console',
      name: 'console',
      title: 'The console is not built',
      content:
        '<p>This server was built without its web console. In a checkout of the sources build it, then start the server again:</p>\n<p><code>npm run build</code></p>\n<p>Packages and images of the server hold it.</p>',
    },
  },
})
