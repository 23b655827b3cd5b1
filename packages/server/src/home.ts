/** What a browser shows at the server's address: where the API's description is, and a first call to copy. */
import type { Page } from './runtime/http/pages.js'

/** @param basePath of the API; from the settings, which allow nothing that HTML would read. */
export const homePage = (basePath: string): Page => ({
  path: '/',
  name: 'home',
  title: 'Plumbline is running',
  content: `<p>This server checks plugins and pipelines against your organization's compliance rules.</p>
<ul>
<li><a href="${basePath}/docs">API documentation</a>, with a form to try each call</li>
<li><a href="${basePath}/openapi.json">OpenAPI description</a>, for generated clients</li>
<li><a href="/readyz">Readiness</a>, for load balancers</li>
</ul>
<h2>On the command line</h2>
<p>Sign in, then ask who you are:</p>
<p><code>plumbline login</code><br><code>plumbline whoami</code></p>`,
})
