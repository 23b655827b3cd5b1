/** The web console: static files of this process, over the public API alone. Without its build a page says how to make it. */
import { fileURLToPath } from 'node:url'
import { defineDomain } from '../runtime/manifest.js'
import { consoleDeclarations } from './declarations.js'
import { consoleRegistration } from './registration.js'

/** Beside the build of the server, where its own build puts it; the sources look there, too. */
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
    // What people type, and what links in e-mails name.
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
