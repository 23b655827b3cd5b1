/**
 * The provenance of an image: an in-toto Statement v1 with SLSA provenance v1, without secrets and without paths of a
 * machine. Pure.
 */
import type { BuiltImageFacts } from '../image/built-image.js'
import type { BuildJobRow, PluginRow, ResolvedBase } from '../tables.js'

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
const PREDICATE_TYPE = 'https://slsa.dev/provenance/v1'
const BUILD_TYPE = 'urn:plumbline:plugin-build:v1'

interface Built {
  readonly plugin: Pick<PluginRow, 'id' | 'orgId' | 'name' | 'version' | 'buildType' | 'buildArgs' | 'archiveSha256'>
  readonly job: Pick<BuildJobRow, 'id' | 'startedAtMs' | 'totalAttempts' | 'bases'>
  readonly repository: string
  readonly image: Pick<BuiltImageFacts, 'digest' | 'baseName' | 'baseDigest'>
  readonly serverVersion: string
  /** Public address of this server; null when it is not configured. */
  readonly publicUrl: string | null
  readonly nowMs: number
}

export function provenanceOf({ plugin, job, repository, image, serverVersion, publicUrl, nowMs }: Built): object {
  const { id, orgId, name, version, buildType, buildArgs, archiveSha256 } = plugin
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: repository, digest: { sha256: hexOf(image.digest) } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: {
          plugin: { id, organization: orgId, name, version },
          buildType,
          // Names only: the values are private to the organization.
          buildArgumentNames: Object.keys(buildArgs).sort(),
        },
        internalParameters: { attempt: job.totalAttempts },
        resolvedDependencies: [
          ...(archiveSha256 === null
            ? []
            : [{ name: 'archive', uri: `urn:plumbline:archive:${id}`, digest: { sha256: archiveSha256 } }]),
          ...basesOf(image, job.bases ?? []),
        ],
      },
      runDetails: {
        builder: { id: publicUrl ?? 'urn:plumbline:server', version: { plumbline: serverVersion } },
        metadata: {
          invocationId: job.id,
          ...(job.startedAtMs === null ? {} : { startedOn: instant(job.startedAtMs) }),
          finishedOn: instant(nowMs),
        },
      },
    },
  }
}

/**
 * The base images by their names in the Dockerfile. If the name does not contain the digest, the builder resolved it,
 * and the statement says so.
 */
function basesOf({ baseName, baseDigest }: Built['image'], fetched: readonly ResolvedBase[]): object[] {
  const isNamed = baseName === undefined || baseName === 'scratch' || fetched.some(({ name }) => name === baseName)
  const own = baseDigest === undefined ? {} : { digest: { sha256: hexOf(baseDigest) } }
  return [
    ...(isNamed ? [] : [{ name: 'base', uri: `docker://${baseName}`, ...own }]),
    ...fetched.map(({ name, digest }) => ({
      ...{ name: 'base', uri: `docker://${name}`, digest: { sha256: hexOf(digest) } },
      ...(name.endsWith(`@${digest}`) ? {} : { annotations: { resolvedBy: 'builder' } }),
    })),
  ]
}

const hexOf = (digest: string): string => digest.slice('sha256:'.length)

/** SLSA timestamps have a resolution of seconds. */
const instant = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
