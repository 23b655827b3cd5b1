/**
 * The bill of materials of an image, in CycloneDX 1.6, from what was found in its layers. Pure: the same image gives
 * the same document.
 */
import { createHash } from 'node:crypto'
import type { LayerContents } from '../layer/inspect.js'
import type { Package, Release } from '../layer/packages.js'

interface Described {
  readonly repository: string
  readonly version: string
  /** Digest of the manifest. */
  readonly digest: string
  readonly createdAt: string
  /** Version of this server. */
  readonly toolVersion: string
}

type Found = LayerContents['packages'][number]

export function cycloneDx({ packages, release, isComplete }: LayerContents, image: Described): object {
  const { repository, version, digest, createdAt, toolVersion } = image
  const name = repository.split('/').at(-1) ?? repository
  const components = new Map<string, object>()
  for (const each of packages) {
    const purl = purlOf(each, release)
    if (!components.has(purl)) components.set(purl, componentOf(each, purl))
  }
  const purl = `pkg:oci/${name}@${encodeURIComponent(digest)}`
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      timestamp: createdAt,
      tools: { components: [{ type: 'application', name: 'plumbline', version: toolVersion }] },
      component: { type: 'container', 'bom-ref': purl, name: repository, version, purl, hashes: [hashOf(digest)] },
      ...(release === null ? {} : { properties: releaseProperties(release) }),
    },
    components: [...components].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component),
    // An incomplete list is marked as such, so that nobody takes it for complete.
    compositions: [{ aggregate: isComplete ? 'unknown' : 'incomplete', assemblies: [purl] }],
  }
}

function componentOf({ name, version, license, location }: Found, purl: string): object {
  return {
    type: 'library',
    'bom-ref': purl,
    ...nameParts(name),
    version,
    ...(license === undefined ? {} : { licenses: [{ license: { name: license } }] }),
    purl,
    properties: [{ name: 'plumbline:location', value: location }],
  }
}

function nameParts(name: string): object {
  const cut = name.startsWith('@') ? name.indexOf('/') : -1
  return cut < 0 ? { name } : { group: name.slice(0, cut), name: name.slice(cut + 1) }
}

const releaseProperties = ({ id, version }: Release) => [
  { name: 'plumbline:os', value: id },
  ...(version === null ? [] : [{ name: 'plumbline:os-version', value: version }]),
]

const DEFAULT_OS: Readonly<Record<string, string>> = { deb: 'debian', apk: 'alpine' }

/** In the form that the package URL specification defines for each type. */
function purlOf({ type, name, version, architecture }: Package, release: Release | null): string {
  const at = encoded(version)
  if (type === 'npm') return `pkg:npm/${name.split('/').map(encoded).join('/')}@${at}`
  if (type === 'pypi') return `pkg:pypi/${encoded(name.toLowerCase().replace(/[-_.]+/g, '-'))}@${at}`
  const os = release?.id ?? DEFAULT_OS[type] ?? ''
  const distro = release?.version == null ? [] : [`distro=${encoded(`${os}-${release.version}`)}`]
  const qualifiers = [...(architecture === undefined ? [] : [`arch=${encoded(architecture)}`]), ...distro].join('&')
  return `pkg:${type}/${encoded(os)}/${encoded(name.toLowerCase())}@${at}${qualifiers === '' ? '' : `?${qualifiers}`}`
}

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':')

const hashOf = (digest: string) => ({ alg: 'SHA-256', content: digest.slice('sha256:'.length) })

/** A name-based UUID (RFC 9562, version 8). */
function uuidOf(digest: string): string {
  const bytes = createHash('sha256').update(`plumbline sbom ${digest}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** For rules; null when not all packages are known. */
export function packageNames({ packages, isComplete }: LayerContents): string[] | null {
  // guard: what-is-not-known-whole-is-not-told-to-rules
  if (!isComplete) return null
  return [...new Set(packages.map(({ name }) => name))].sort()
}
