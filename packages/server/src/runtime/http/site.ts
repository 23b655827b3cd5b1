/**
 * Serves a folder of static files with one index, such as the build of the console.
 *
 * A file is served at its exact address. Every other address below the prefix gets the index, whose own router reads
 * the address. The files are listed at the start, so no address leads out of the folder. The build puts compressed
 * forms (`.br`, `.gz`) next to a file.
 */
import { hash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Context } from 'hono'
import { bestCoding } from './compressible.js'
import { commonHeaders, isUnmodified } from './envelope.js'
import type { Page } from './pages.js'
import { type NodeBindings, sentHeaders } from './sent-headers.js'
import { rangeOf } from './serve-file.js'

export interface Site {
  readonly folder: string
  /** Outside the base path, such as `/console`. */
  readonly prefix: `/${string}`
  /** Addresses outside the prefix that get the index, instead of pages with the same address. */
  readonly entries: readonly `/${string}`[]
  /** Shown at the prefix when there is no build. */
  readonly missing: Page
}

export interface SiteOptions {
  readonly basePath: string
  readonly behindTls: boolean
}

export interface MountedSite {
  readonly entries: readonly `/${string}`[]
  /** The index. */
  index(c: Context): Promise<Response>
  /**
   * Returns the answer to an address below the prefix; null for any other address, and for methods other than GET and
   * HEAD.
   */
  answer(c: Context): Promise<Response> | null
}

const INDEX = 'index.html'
/** Files whose names contain a hash of their content. */
const HASHED = 'assets/'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types plumbline-worker',
].join('; ')

const MEDIA: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** The meta element that tells the page the path of the API. */
const BASE_PATH_META = /(<meta name="plumbline-base-path" content=")[^"]*(")/

type Coding = ReturnType<typeof bestCoding>

/** The forms of a file. Each is read once, when it is first requested. */
type File = ReadonlyMap<Coding, () => Promise<Content>>

interface Content {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly tag: string
  /** Of an answer with all bytes. Every answer has the same object, which is not changed. */
  readonly headers: Readonly<Record<string, string>>
}

/** @returns null when there is no build. */
export function openSite(site: Site, options: SiteOptions): MountedSite | null {
  if (!existsSync(join(site.folder, INDEX))) return null
  const common = {
    ...commonHeaders(options),
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
  const files = filesOf(site.folder, options.basePath, common)
  const index = files.get(INDEX) as File
  return {
    entries: site.entries,
    index: (c) => send(c, index),
    answer(c) {
      const { method } = c.req
      const path = new URL(c.req.raw.url).pathname
      if ((method !== 'GET' && method !== 'HEAD') || !isBelow(site.prefix, path)) return null
      const bindings = c.env as NodeBindings | undefined
      // One name for all addresses of the site, because they contain names that people chose.
      if (bindings !== undefined) bindings.route = `${site.prefix}/*`
      const name = path.slice(site.prefix.length + 1)
      const file = files.get(name)
      if (file !== undefined) return send(c, file)
      // A missing script must not get the index: the browser would run HTML, and a proxy would cache it for a year.
      // guard: a-file-that-is-gone-is-not-the-index
      if (name.startsWith(HASHED)) return null
      return send(c, index)
    },
  }
}

const isBelow = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

function filesOf(
  folder: string,
  basePath: string,
  common: Readonly<Record<string, string>>,
): ReadonlyMap<string, File> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  // guard: a-link-out-of-the-folder-is-not-served
  const found = entries.filter((entry) => entry.isFile())
  const names = new Set(found.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')))
  const files = new Map<string, File>()
  for (const name of names) {
    const media = MEDIA[extname(name)]
    if (media === undefined) continue
    // The index differs from the build, because it contains the path of the API.
    const edit = name === INDEX ? (text: string) => text.replace(BASE_PATH_META, `$1${basePath}$2`) : null
    const headers = {
      ...common,
      'content-type': media,
      'cache-control': name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      'accept-ranges': 'bytes',
    }
    const at = join(folder, name)
    const forms = new Map<Coding, () => Promise<Content>>([['identity', once(at, 'identity', headers, edit)]])
    if (edit === null && names.has(`${name}.br`)) forms.set('br', once(`${at}.br`, 'br', headers))
    if (edit === null && names.has(`${name}.gz`)) forms.set('gzip', once(`${at}.gz`, 'gzip', headers))
    files.set(name, forms)
  }
  return files
}

function once(
  path: string,
  coding: Coding,
  common: Readonly<Record<string, string>>,
  edit: ((text: string) => string) | null = null,
): () => Promise<Content> {
  let content: Promise<Content> | null = null
  const isCoded = coding !== 'identity'
  const read = async (): Promise<Content> => {
    const found = await readFile(path)
    const bytes = new Uint8Array(edit === null ? found : Buffer.from(edit(found.toString('utf8'))))
    const tag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}${isCoded ? `-${coding}` : ''}"`
    const length = { 'content-length': String(bytes.length) }
    const headers = { ...common, etag: tag, ...(isCoded ? { 'content-encoding': coding } : {}), ...length }
    return { bytes, tag, headers }
  }
  return () => {
    content ??= read().catch((error) => {
      content = null
      throw error
    })
    return content
  }
}

async function send(c: Context, file: File): Promise<Response> {
  const headers = sentHeaders(c)
  const rangeHeader = headers.get('range')
  // A range applies to the uncompressed bytes.
  const wanted = rangeHeader === null ? bestCoding(headers.get('accept-encoding') ?? '') : 'identity'
  const coding = file.has(wanted) ? wanted : wanted === 'br' && file.has('gzip') ? 'gzip' : 'identity'
  const { bytes, tag, headers: whole } = await (file.get(coding) as () => Promise<Content>)()
  const isKnown = isUnmodified(headers.get('if-none-match'), tag)
  if (!isKnown && rangeHeader === null) return new Response(bytes, { headers: whole })
  const { 'content-length': _, ...all } = whole
  if (isKnown) return new Response(null, { status: 304, headers: all })
  const ifRange = headers.get('if-range')
  const range = ifRange === null || ifRange === tag ? rangeOf(rangeHeader, bytes.length) : null
  if (range === 'outside') {
    return new Response(null, { status: 416, headers: { ...all, 'content-range': `bytes */${bytes.length}` } })
  }
  if (range === null) return new Response(bytes, { headers: whole })
  const { first, last } = range
  const part = { 'content-range': `bytes ${first}-${last}/${bytes.length}`, 'content-length': String(last - first + 1) }
  return new Response(bytes.subarray(first, last + 1), { status: 206, headers: { ...all, ...part } })
}
