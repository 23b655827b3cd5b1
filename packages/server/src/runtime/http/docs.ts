/**
 * `GET /openapi.json` and the documentation page: Swagger UI from our own files, nothing from elsewhere, no inline
 * script. The files lie beside the build; from the sources they are those of the development dependency.
 */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context, Hono } from 'hono'
import { openapi } from '../operation/openapi.js'
import type { Operation } from '../operation/operation.js'
import { DOCS_ASSETS } from './docs-assets.js'
import { commonHeaders, isUnmodified } from './envelope.js'

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
  const common = commonHeaders({ behindTls })
  const page = { ...common, 'content-security-policy': CONTENT_POLICY }
  const send = (c: Context, text: string, type: string) => {
    const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
    const headers = { ...page, 'content-type': type, etag }
    const isSame = isUnmodified(c.req.raw.headers.get('if-none-match'), etag)
    return isSame ? new Response(null, { status: 304, headers }) : new Response(text, { headers })
  }

  let documentText: string | undefined
  app.get(`${basePath}/openapi.json`, (c) => {
    documentText ??= JSON.stringify(openapi(operations, { version, basePath }))
    return send(c, documentText, 'application/json')
  })
  app.get(`${basePath}/docs`, (c) => send(c, pageOf(basePath), 'text/html; charset=utf-8'))
  app.get(`${basePath}/docs/start.js`, (c) => send(c, startOf(basePath), 'text/javascript; charset=utf-8'))
  for (const [file, type] of Object.entries(DOCS_ASSETS)) {
    app.get(`${basePath}/docs/${file}`, async () => {
      const content = await readFile(join(assetFolder(), file))
      return new Response(content, {
        headers: { ...page, 'content-type': type, 'cache-control': 'public, max-age=86400' },
      })
    })
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
  `SwaggerUIBundle(${JSON.stringify({ url: `${basePath}/openapi.json`, dom_id: '#docs', deepLinking: true, validatorUrl: null })})\n`
