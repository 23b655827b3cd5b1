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
import type { NodeBindings } from './sent-headers.js'
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

interface File {
  readonly media: string
  readonly isHashed: boolean
  /** The forms of a file. Each is read once, when it is first requested. */
  readonly forms: ReadonlyMap<Coding, () => Promise<Content>>
}

interface Content {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly tag: string
}

/** @returns null when there is no build. */
export function openSite(site: Site, options: SiteOptions): MountedSite | null {
  if (!existsSync(join(site.folder, INDEX))) return null
  const files = filesOf(site.folder, options.basePath)
  const common = {
    ...commonHeaders(options),
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
  const index = files.get(INDEX) as File
  return {
    entries: site.entries,
    index: (c) => send(c, index, common),
    answer(c) {
      const { method } = c.req
      const path = new URL(c.req.raw.url).pathname
      if ((method !== 'GET' && method !== 'HEAD') || !isBelow(site.prefix, path)) return null
      const bindings = c.env as NodeBindings | undefined
      // One name for all addresses of the site, because they contain names that people chose.
      if (bindings !== undefined) bindings.route = `${site.prefix}/*`
      const name = path.slice(site.prefix.length + 1)
      const file = files.get(name)
      if (file !== undefined) return send(c, file, common)
      // A missing script must not get the index: the browser would run HTML, and a proxy would cache it for a year.
      // guard: a-file-that-is-gone-is-not-the-index
      if (name.startsWith(HASHED)) return null
      return send(c, index, common)
    },
  }
}

const isBelow = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

function filesOf(folder: string, basePath: string): ReadonlyMap<string, File> {
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
    const forms = new Map<Coding, () => Promise<Content>>([['identity', once(join(folder, name), '', edit)]])
    if (edit === null && names.has(`${name}.br`)) forms.set('br', once(join(folder, `${name}.br`), '-br', null))
    if (edit === null && names.has(`${name}.gz`)) forms.set('gzip', once(join(folder, `${name}.gz`), '-gzip', null))
    files.set(name, { media, isHashed: name.startsWith(HASHED), forms })
  }
  return files
}

function once(path: string, ending: string, edit: ((text: string) => string) | null): () => Promise<Content> {
  let content: Promise<Content> | null = null
  const read = async (): Promise<Content> => {
    const found = await readFile(path)
    const bytes = new Uint8Array(edit === null ? found : Buffer.from(edit(found.toString('utf8'))))
    return { bytes, tag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}${ending}"` }
  }
  return () => {
    content ??= read().catch((error) => {
      content = null
      throw error
    })
    return content
  }
}

async function send(c: Context, file: File, common: Readonly<Record<string, string>>): Promise<Response> {
  const { headers } = c.req.raw
  const rangeHeader = headers.get('range')
  // A range applies to the uncompressed bytes.
  const wanted = rangeHeader === null ? bestCoding(headers.get('accept-encoding') ?? '') : 'identity'
  const coding = file.forms.has(wanted) ? wanted : wanted === 'br' && file.forms.has('gzip') ? 'gzip' : 'identity'
  const { bytes, tag } = await (file.forms.get(coding) as () => Promise<Content>)()
  const all: Record<string, string> = {
    ...common,
    'content-type': file.media,
    'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: tag,
    vary: 'accept-encoding',
    'accept-ranges': 'bytes',
  }
  if (coding !== 'identity') all['content-encoding'] = coding
  if (isUnmodified(headers.get('if-none-match'), tag)) return new Response(null, { status: 304, headers: all })
  const ifRange = headers.get('if-range')
  const range = ifRange === null || ifRange === tag ? rangeOf(rangeHeader, bytes.length) : null
  if (range === 'outside') {
    return new Response(null, { status: 416, headers: { ...all, 'content-range': `bytes */${bytes.length}` } })
  }
  if (range !== null) {
    const { first, last } = range
    const part = {
      'content-range': `bytes ${first}-${last}/${bytes.length}`,
      'content-length': String(last - first + 1),
    }
    return new Response(bytes.subarray(first, last + 1), { status: 206, headers: { ...all, ...part } })
  }
  return new Response(bytes, { headers: { ...all, 'content-length': String(bytes.length) } })
}
