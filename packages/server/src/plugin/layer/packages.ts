/**
 * Parses the databases of package managers for what they installed: dpkg, apk, npm, Python. Pure. The text is
 * untrusted.
 */

export interface Package {
  readonly type: 'deb' | 'apk' | 'npm' | 'pypi'
  readonly name: string
  readonly version: string
  readonly architecture?: string
  readonly license?: string
}

export interface Release {
  /** ID of the distribution, such as `debian`. */
  readonly id: string
  readonly version: string | null
}

export type Told =
  | { readonly kind: 'packages'; readonly packages: readonly Package[] }
  | { readonly kind: 'release'; readonly release: Release }

export interface Source {
  readonly bytesMax: number
  /** Of a longer file, only the beginning is needed. */
  readonly isHeadEnough?: boolean
  /** The file names the distribution and lists no packages. */
  readonly isRelease?: boolean
  /** Null when the text is not usable. */
  read(text: string): Told | null
}

const MiB = 1024 ** 2
const NAME = /^(?:@[A-Za-z0-9._~-]{1,100}\/)?[A-Za-z0-9][A-Za-z0-9._+~-]{0,213}$/
const VERSION = /^[\x21-\x7e]{1,200}$/

const dpkg: Source = { bytesMax: 32 * MiB, read: (text) => packagesOf('deb', dpkgPackages(text)) }
const apk: Source = { bytesMax: 32 * MiB, read: (text) => packagesOf('apk', apkPackages(text)) }
const npm: Source = { bytesMax: 2 * MiB, read: (text) => packagesOf('npm', npmPackage(text)) }
const python: Source = {
  bytesMax: 65_536,
  isHeadEnough: true,
  read: (text) => packagesOf('pypi', [headersOf(text)].map(pythonPackage)),
}
const osRelease: Source = { bytesMax: 65_536, isRelease: true, read: releaseOf }

/** Which parser reads this file of an image; null for a file that lists no packages. */
export function sourceOf(path: string): Source | null {
  if (path === 'var/lib/dpkg/status' || /^var\/lib\/dpkg\/status\.d\/(?![^/]*\.md5sums$)[^/]+$/.test(path)) return dpkg
  if (path === 'lib/apk/db/installed' || path === 'usr/lib/apk/db/installed') return apk
  if (path === 'etc/os-release' || path === 'usr/lib/os-release') return osRelease
  if (path.endsWith('/package.json'))
    return /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path) ? npm : null
  const isPython = ['.dist-info/METADATA', '.egg-info/PKG-INFO', '.egg-info'].some((end) => path.endsWith(end))
  return isPython ? python : null
}

type Found = Omit<Package, 'type'> | null

/** Packages without a name or version of a known form are left out: they could not be looked up anywhere. */
function packagesOf(type: Package['type'], found: readonly Found[]): Told {
  const packages = found.flatMap((each) =>
    each !== null && NAME.test(each.name) && VERSION.test(each.version) ? [{ type, ...each }] : [],
  )
  return { kind: 'packages', packages }
}

/** `Name: value` up to the first empty line; continuation lines are skipped. */
function headersOf(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    if (line === '') break
    const [, name, value] = /^([A-Za-z][\w-]*):(.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined && !headers.has(name)) headers.set(name, value.trim())
  }
  return headers
}

const dpkgPackages = (text: string): Found[] =>
  text.split(/\n\n+/).map((paragraph) => {
    const told = headersOf(paragraph.replace(/^\n+/, ''))
    const status = told.get('Status')
    // A removed package leaves its configuration and its entry behind.
    if (status !== undefined && !/ (?:installed|triggers-awaited|triggers-pending)$/.test(status)) return null
    return found(told.get('Package'), told.get('Version'), { architecture: told.get('Architecture') })
  })

const apkPackages = (text: string): Found[] =>
  text.split(/\n\n+/).map((paragraph) => {
    const told = headersOf(paragraph.replace(/^\n+/, ''))
    return found(told.get('P'), told.get('V'), { architecture: told.get('A'), license: told.get('L') })
  })

const pythonPackage = (told: ReadonlyMap<string, string>): Found =>
  found(told.get('Name'), told.get('Version'), { license: told.get('License-Expression') ?? told.get('License') })

function npmPackage(text: string): Found[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const { name, version, license } = (value ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || typeof version !== 'string') return []
  return [found(name, version, { license: typeof license === 'string' ? license : undefined })]
}

function found(
  name: string | undefined,
  version: string | undefined,
  more: { readonly architecture?: string | undefined; readonly license?: string | undefined },
): Found {
  if (name === undefined || version === undefined) return null
  const { architecture, license } = more
  return {
    name,
    version,
    ...(architecture !== undefined && NAME.test(architecture) ? { architecture } : {}),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    ...(license !== undefined && /^[^\x00-\x1f\x7f]{1,200}$/.test(license) ? { license } : {}),
  }
}

function releaseOf(text: string): Told | null {
  const told = new Map(
    text.split('\n').flatMap((line) => {
      const [, name = '', value = ''] = /^([A-Z_]+)=["']?([\w.-]{1,100})["']?\s*$/.exec(line) ?? []
      return name === '' ? [] : [[name, value] as const]
    }),
  )
  const id = told.get('ID')
  return id === undefined
    ? null
    : { kind: 'release', release: { id: id.toLowerCase(), version: told.get('VERSION_ID') ?? null } }
}
