/**
 * Builds the archive of a plugin from a document that describes all of it: specification, build type and Dockerfile.
 * INVARIANT: the same document gives the same bytes.
 */
import { strToU8, zipSync } from 'fflate'
import { stringify } from 'yaml'
import { NotDoneError } from '../../command.js'
import { isRecord } from '../../input/record.js'
import type { JsonObject } from '../resource.js'
import { NO_TIME } from './archive.js'
import type { Archive } from './send.js'

/** The fields of `plugin-spec.yaml`. */
const SPECIFICATION = [
  ...['name', 'version', 'description', 'keywords', 'category', 'pluginType', 'computeType', 'timeout'],
  ...['failureBehavior', 'secrets', 'primaryOutputDirectory', 'metadata', 'installCommands', 'commands', 'env'],
  ...['buildArgs', 'requiredMetadata', 'requiredVars', 'metadataTypes', 'varsTypes', 'smokeTest'],
]
/** The fields that are sent outside of the archive. */
const BESIDE = ['accessModifier', 'ownerId', 'ownerType', 'lifecycle', 'criticality', 'labels', 'links']

/** @throws NotDoneError if the document does not describe the whole plugin. */
export function madeArchive(plugin: JsonObject): {
  readonly archive: Archive
  readonly fields: Record<string, string>
} {
  const buildType = buildTypeOf(plugin)
  const { dockerfile } = plugin
  const isBuilt = buildType === 'build_image'
  if (isBuilt && typeof dockerfile !== 'string') {
    throw new NotDoneError('an image needs the text of its Dockerfile: give `dockerfile`')
  }
  const zip = zipSync(
    {
      'plugin-spec.yaml': strToU8(stringify(specificationOf(plugin))),
      'config.yaml': strToU8(stringify({ buildType })),
      ...(isBuilt ? { Dockerfile: strToU8(String(dockerfile)) } : {}),
    },
    { mtime: NO_TIME, level: 6 },
  )
  return {
    archive: () => ({
      part: 'plugin',
      name: `${String(plugin.name)}.zip`,
      contentType: 'application/zip',
      content: [zip],
      bytes: zip.length,
    }),
    fields: {
      ...Object.fromEntries(BESIDE.flatMap((name) => (plugin[name] == null ? [] : [[name, textOf(plugin[name])]]))),
      ...(plugin.isDefault === true ? { setDefault: 'true' } : {}),
    },
  }
}

function buildTypeOf({ buildType, dockerfile, pluginType, name, version }: JsonObject): string {
  if (buildType === 'prebuilt') {
    throw new NotDoneError(
      `the image of ${String(name)} ${String(version)} is already built: \`plumbline plugins upload\` sends it`,
    )
  }
  if (typeof buildType === 'string') return buildType
  if (typeof dockerfile === 'string') return 'build_image'
  if (pluginType === 'ManualApprovalStep') return 'metadata_only'
  throw new NotDoneError('the Dockerfile is missing: give `dockerfile`, or `buildType: metadata_only`')
}

/** A record from the server has its specification below the key `contract`. */
function specificationOf(plugin: JsonObject): JsonObject {
  const whole = { ...(isRecord(plugin.contract) ? plugin.contract : {}), ...plugin }
  return Object.fromEntries(SPECIFICATION.flatMap((name) => (whole[name] == null ? [] : [[name, whole[name]]])))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
