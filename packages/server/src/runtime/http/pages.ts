/**
 * Pages for people who follow a link in an e-mail or type the server's address. A page is a title and a name; its
 * script (`assets/pages.js`) does the rest through the API. Nothing is loaded from another host and nothing is inline.
 */
import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { compressible } from './compressible.js'
import { commonHeaders } from './envelope.js'

export interface Page {
  /** Outside the base path, such as `/reset-password`. */
  readonly path: `/${string}`
  /** The name of the page in the script. */
  readonly name: string
  readonly title: string
  /** Additional HTML from this code base; nothing from a request. */
  readonly content?: string
}

export interface PagesOptions {
  readonly basePath: string
  readonly behindTls: boolean
}

const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

/** From the sources and from the build: `assets` lies beside both. */
const asset = (name: string): Buffer => {
  const up = import.meta.url.endsWith('.ts') ? '../../../assets' : '../assets'
  return readFileSync(new URL(`${up}/${name}`, import.meta.url))
}

export function mountPages(app: Hono, pages: readonly Page[], { basePath, behindTls }: PagesOptions): void {
  const headers = { ...commonHeaders({ behindTls }), 'content-security-policy': CONTENT_POLICY }
  for (const page of pages) {
    const html = compressible(htmlOf(page, basePath))
    // The address of the page may contain the token of a link.
    const all = { ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
    app.get(page.path, (c) => html.answer(c, all))
  }
  for (const [name, type] of [
    ['pages.js', 'text/javascript; charset=utf-8'],
    ['pages.css', 'text/css; charset=utf-8'],
  ] as const) {
    const content = compressible(asset(name))
    app.get(`/assets/${name}`, (c) => content.answer(c, { ...headers, 'content-type': type }))
  }
}

const htmlOf = ({ name, title, content = '' }: Page, basePath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Plumbline</title>
<link rel="stylesheet" href="/assets/pages.css">
<link rel="icon" type="image/png" href="${basePath}/docs/favicon-32x32.png">
<script type="module" src="/assets/pages.js"></script>
</head>
<body>
<main data-page="${name}" data-api="${basePath}">
<h1>${title}</h1>
<noscript><p>This page needs JavaScript.</p></noscript>
${content}
</main>
</body>
</html>
`
