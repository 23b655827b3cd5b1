/**
 * Reads an image from its layers before the rules evaluate it: the layers match their digests, they contain no secret
 * of the build, and which packages they install. The results are stored as attestations.
 */
import type { RegistryClient } from '../../registry/index.js'
import { toIso } from '../../runtime/clock.js'
import type { JobContext } from '../../runtime/jobs/define.js'
import { SERVER_VERSION } from '../../runtime/version.js'
import { keepDocument } from '../attestation/keep.js'
import { openGiven } from '../build-job/received-values.js'
import { secretsOf } from '../build-job/secrets.js'
import { repositoryOf } from '../build-job/staging.js'
import { formsOf } from '../builder-program/hide.js'
import type { Attestations } from '../image/attestations.js'
import type { BuiltImageFacts } from '../image/built-image.js'
import { type LayerContents, LayerFault, secretFault } from '../layer/inspect.js'
import { layerReader } from '../layer/isolated.js'
import type { Needle } from '../layer/needles.js'
import { signedEnvelope } from '../provenance/envelope.js'
import { provenanceKeys } from '../provenance/keys.js'
import { provenanceOf } from '../provenance/statement.js'
import { cycloneDx, packageNames } from '../sbom/cyclonedx.js'
import type { Looked } from '../scan/look.js'
import type { BuildJobRow, PluginRow } from '../tables.js'
import { type CheckedImage, ImageRefused } from './check-image.js'

const ENTRIES_MAX = 1_000_000
const PACKAGES_MAX = 50_000
/** Layers compress well: an ordinary image unpacks to about three times its size. */
const UNPACKED_MAX = 8
const NAMES_MAX = 5000

/**
 * @param begins called before each layer, because a slow registry takes many minutes for one.
 * @throws ImageRefused
 */
export async function readContents(
  { runtime, read }: Pick<JobContext, 'runtime' | 'read'>,
  registry: RegistryClient,
  staging: string,
  { job, plugin }: { readonly job: BuildJobRow; readonly plugin: PluginRow },
  { layers, diffIds, configText }: CheckedImage,
  begins: () => Promise<unknown>,
): Promise<LayerContents> {
  const { given } = await read((db) => secretsOf(db, runtime, plugin))
  // Secrets and the plugin may have changed since the builder received them.
  // guard: an-image-is-searched-for-what-its-build-received
  const searched = [...given, ...openGiven(runtime, job)]
  const needles = searched.map(({ name, value }): Needle => ({ name, forms: [...formsOf(value), ...quoted(value)] }))
  try {
    // guard: no-secret-of-a-build-in-the-configuration-of-its-image
    const told = needles.find(({ forms }) => forms.some((form) => configText.includes(form)))
    if (told !== undefined) throw secretFault(told.name, 'its configuration (ENV, LABEL, ARG or a command)')
    return await layerReader().read({
      layers: layers.map((layer, index) => ({ ...layer, diffId: diffIds[index] ?? '' })),
      needles,
      limits: {
        entriesMax: ENTRIES_MAX,
        packagesMax: PACKAGES_MAX,
        unpackedBytesMax: runtime.settings.PLUGIN_IMAGE_MAX_MB * 1024 ** 2 * UNPACKED_MAX,
      },
      async *open(digest) {
        await begins()
        yield* registry.blob(staging, digest)
      },
    })
  } catch (error) {
    if (error instanceof LayerFault) throw new ImageRefused(error.category, error.message)
    throw error
  }
}

/** The value as JSON escapes it, if that differs. */
const quoted = (value: string): string[] => {
  const text = JSON.stringify(value).slice(1, -1)
  return text === value || text.length < 6 ? [] : [text]
}

interface Examined {
  readonly facts: Pick<BuiltImageFacts, 'sbomPackages' | 'signed' | 'vulnerabilities'>
  readonly attestations: Attestations
}

/** Writes and stores the bill of materials and the provenance. */
export async function attest(
  { runtime, nowMs }: Pick<JobContext, 'runtime' | 'nowMs'>,
  job: BuildJobRow,
  plugin: PluginRow,
  { contents, looked: { bom: given, vulnerabilities } }: { readonly contents: LayerContents; readonly looked: Looked },
  image: BuiltImageFacts,
): Promise<Examined> {
  const repository = repositoryOf(plugin)
  const described = {
    ...{ repository, version: plugin.version, digest: image.digest },
    ...{ createdAt: toIso(nowMs), toolVersion: SERVER_VERSION },
  }
  const bom = given?.document ?? cycloneDx(contents, described)
  const sbom = await keepDocument(runtime, plugin.orgId, Buffer.from(JSON.stringify(bom)))
  const namesMax = Math.min(NAMES_MAX, runtime.settings.COMPLIANCE_MAX_ATTRIBUTE_NODES / 4)
  const names = given === null ? packageNames(contents) : given.names
  const facts = {
    ...(names === null || names.length > namesMax ? {} : { sbomPackages: names }),
    ...(vulnerabilities === null ? {} : { vulnerabilities }),
  }
  const [key] = provenanceKeys(runtime)
  if (key === undefined) return { facts, attestations: { sbom } }
  const publicUrl = runtime.settings.PUBLIC_URL
  const statement = provenanceOf({ plugin, job, repository, image, serverVersion: SERVER_VERSION, publicUrl, nowMs })
  const provenance = await keepDocument(runtime, plugin.orgId, signedEnvelope(statement, key))
  return { facts: { ...facts, signed: true }, attestations: { sbom, provenance } }
}
