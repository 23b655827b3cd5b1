/** What provenance says of an image: an in-toto Statement v1 with SLSA provenance v1. No secret and no path of a machine. Pure. */
import type { BuiltImageFacts } from '../image/built-image.js'
import type { BuildJobRow, PluginRow } from '../tables.js'

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
const PREDICATE_TYPE = 'https://slsa.dev/provenance/v1'
const BUILD_TYPE = 'urn:plumbline:plugin-build:v1'

interface Built {
  readonly plugin: Pick<PluginRow, 'id' | 'orgId' | 'name' | 'version' | 'buildType' | 'buildArgs' | 'archiveSha256'>
  readonly job: Pick<BuildJobRow, 'id' | 'startedAtMs' | 'totalAttempts'>
  readonly repository: string
  readonly image: Pick<BuiltImageFacts, 'digest' | 'baseName' | 'baseDigest'>
  readonly serverVersion: string
  /** Where this server is; null where it does not know. */
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
          // Names alone: what a value is for is nobody else's.
          buildArgumentNames: Object.keys(buildArgs).sort(),
        },
        internalParameters: { attempt: job.totalAttempts },
        resolvedDependencies: [
          ...(archiveSha256 === null
            ? []
            : [{ name: 'archive', uri: `urn:plumbline:archive:${id}`, digest: { sha256: archiveSha256 } }]),
          ...baseOf(image),
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

/** The base as the image names it: its digest where the name holds one. */
function baseOf({ baseName, baseDigest }: Built['image']): object[] {
  if (baseName === undefined || baseName === 'scratch') return []
  const digest = baseDigest === undefined ? {} : { digest: { sha256: hexOf(baseDigest) } }
  return [{ name: 'base', uri: `docker://${baseName}`, ...digest }]
}

const hexOf = (digest: string): string => digest.slice('sha256:'.length)

/** SLSA has seconds. */
const instant = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
