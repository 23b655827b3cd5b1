/**
 * `GET /openapi.json` and the documentation page: Swagger UI from local files, with nothing from other hosts and no
 * inline script. The files are next to the build; when run from sources they are those of the development dependency.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import { openapi } from '../operation/openapi.js'
import type { Operation } from '../operation/operation.js'
import { type Compressible, compressible } from './compressible.js'
import { DOCS_ASSETS } from './docs-assets.js'
import { forDocsPage } from './docs-document.js'
import { commonHeaders } from './envelope.js'

export interface DocsOptions {
  readonly operations: readonly Operation[]
  readonly basePath: string
  readonly behindTls: boolean
  readonly version: string
}

const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function assetFolder(): string {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('./docs-assets', import.meta.url))
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}

export function mountDocs(app: Hono, { operations, basePath, behindTls, version }: DocsOptions): void {
  const headers = { ...commonHeaders({ behindTls }), 'content-security-policy': CONTENT_POLICY }
  const document = lazily(() => openapi(operations, { version, basePath }))
  const text = lazily(() => compressible(JSON.stringify(document())))
  const pageText = lazily(() => compressible(JSON.stringify(forDocsPage(document()))))
  const json = { ...headers, 'content-type': 'application/json' }
  app.get(`${basePath}/openapi.json`, (c) => text().answer(c, json))
  app.get(`${basePath}/docs/document.json`, (c) => pageText().answer(c, json))
  const page = compressible(pageOf(basePath))
  app.get(`${basePath}/docs`, (c) => page.answer(c, { ...headers, 'content-type': 'text/html; charset=utf-8' }))
  const start = compressible(startOf(basePath))
  app.get(`${basePath}/docs/start.js`, (c) =>
    start.answer(c, { ...headers, 'content-type': 'text/javascript; charset=utf-8' }),
  )
  const assets = new Map<string, Promise<Compressible>>()
  for (const [file, type] of Object.entries(DOCS_ASSETS)) {
    app.get(`${basePath}/docs/${file}`, async (c) => {
      const asset = assets.get(file) ?? readFile(join(assetFolder(), file)).then(compressible)
      assets.set(file, asset)
      return (await asset).answer(c, {
        ...headers,
        'content-type': type,
        'cache-control': 'public, max-age=86400',
      })
    })
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const pageOf = (basePath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plumbline API</title>
<link rel="stylesheet" href="${basePath}/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="${basePath}/docs/favicon-32x32.png">
</head>
<body>
<div id="docs"></div>
<script src="${basePath}/docs/swagger-ui-bundle.js"></script>
<script src="${basePath}/docs/start.js"></script>
</body>
</html>
`

const startOf = (basePath: string): string =>
  `SwaggerUIBundle(${JSON.stringify({
    url: `${basePath}/docs/document.json`,
    dom_id: '#docs',
    deepLinking: true,
    // A page can show every group but not every operation, so a group opens on a click.
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    filter: true,
    displayRequestDuration: true,
    persistAuthorization: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  })})\n`
