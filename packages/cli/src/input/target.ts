/**
 * Decides which kind of entity an object describes, from its top-level keys alone.
 *
 * 1. `kind`, as `apply` reads it.
 * 2. Telling keys: those that only one kind has and that say what it does. The kind with more of them wins.
 * 3. Otherwise, an object with the marks of another tool's file (a package manifest, a Kubernetes object) is neither.
 * 4. Otherwise, a key that the projection has for one kind only (except `name`, which both use) decides.
 * 5. Otherwise there is no answer, and the caller asks for `--target`.
 */
import type { Target } from '@plumbline/engine'

const telling: Readonly<Record<Target, readonly string[]>> = {
  pipeline: ['props', 'stages', 'pipelineName', 'project', 'organization'],
  plugin: [
    'pluginType',
    'computeType',
    'commands',
    'installCommands',
    'dockerfile',
    'baseImage',
    'image',
    'buildType',
    'buildArgs',
    'usesRootUser',
    'runAsRoot',
    'secrets',
    'requiredVars',
    'requiredMetadata',
    'primaryOutputDirectory',
    'failureBehavior',
  ],
}

const supporting: readonly string[] = ['version', 'category', 'timeout', 'env', 'metadata', 'isDefault', 'isActive']

const kinds: ReadonlyMap<unknown, Target> = new Map([
  ['Plugin', 'plugin'],
  ['Pipeline', 'pipeline'],
])

/** Files of other tools that are often next to plugins and pipelines, by the keys that only they have. */
const foreignMarks: readonly (readonly [what: string, isOne: (input: Readonly<Record<string, unknown>>) => boolean])[] =
  [
    ['a Kubernetes object', (input) => typeof input.apiVersion === 'string' && typeof input.kind === 'string'],
    ['the build configuration of a plugin', isBuildConfiguration],
    ['a package manifest', (input) => packageKeys.some((key) => Object.hasOwn(input, key))],
    ['a Compose file', (input) => Object.hasOwn(input, 'services')],
    ['a CI workflow', (input) => Object.hasOwn(input, 'jobs')],
    ['a JSON Schema', (input) => String(input.$schema).includes('//json-schema.org/')],
  ]
const packageKeys = ['dependencies', 'devDependencies', 'peerDependencies', 'scripts', 'workspaces', 'lockfileVersion']

type Input = Readonly<Record<string, unknown>>

/** `config.yaml` beside the specification of a plugin. A plugin has a name as well. */
function isBuildConfiguration(input: Input): boolean {
  const keys = Object.keys(input)
  return keys.length > 0 && keys.every((key) => ['buildType', 'dockerfile', 'imageTag', 'pluginSpec'].includes(key))
}

const countOf = (input: Input, keys: readonly string[]): number =>
  keys.filter((key) => Object.hasOwn(input, key)).length

/** Which file of another tool this is; null for an object that may be a plugin or a pipeline. */
export function foreignKind(input: Input): string | null {
  if (kinds.has(input.kind)) return null
  const [isOne] = foreignMarks.filter(([, hasMarks]) => hasMarks(input))
  if (isOne === undefined) return null
  // A Kubernetes object names its kind, and a build configuration has nothing else. For the other files, a telling key
  // outweighs the marks.
  const isSaid = isOne[0] === 'a Kubernetes object' || isBuildConfiguration(input)
  return isSaid || countOf(input, [...telling.pipeline, ...telling.plugin]) === 0 ? isOne[0] : null
}

/**
 * The kind, if the object names it or has more telling keys of one kind. This is certain enough to search for files by
 * it.
 */
export function recognisedTarget(input: Input): Target | null {
  const said = kinds.get(input.kind)
  if (said !== undefined) return said
  if (foreignKind(input) !== null) return null
  const pipeline = countOf(input, telling.pipeline)
  const plugin = countOf(input, telling.plugin)
  return pipeline === plugin ? null : pipeline > plugin ? 'pipeline' : 'plugin'
}

export function guessTarget(input: Input): Target | null {
  const recognised = recognisedTarget(input)
  if (recognised !== null || foreignKind(input) !== null) return recognised
  // The same number of telling keys of both kinds decides nothing.
  if (countOf(input, telling.pipeline) > 0) return null
  return countOf(input, supporting) > 0 ? 'plugin' : null
}
