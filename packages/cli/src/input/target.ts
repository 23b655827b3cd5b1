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

type Input = Readonly<Record<string, unknown>>
type Mark = readonly [what: string, isOne: (input: Input) => boolean]

/** Files of other kinds that are often next to plugins and pipelines: these name their kind, or have nothing else. */
const certain: readonly Mark[] = [
  ['a Kubernetes object', (input) => typeof input.apiVersion === 'string' && typeof input.kind === 'string'],
  ['the build configuration of a plugin', isBuildConfiguration],
]
/** These have keys that only they have. A telling key of a plugin or a pipeline outweighs them. */
const likely: readonly Mark[] = [
  ['a package manifest', (input) => packageKeys.some((key) => Object.hasOwn(input, key))],
  ['a Compose file', (input) => Object.hasOwn(input, 'services')],
  ['a CI workflow', (input) => Object.hasOwn(input, 'jobs')],
  ['a JSON Schema', (input) => String(input.$schema).includes('//json-schema.org/')],
]
const packageKeys = ['dependencies', 'devDependencies', 'peerDependencies', 'scripts', 'workspaces', 'lockfileVersion']

/** `config.yaml` beside the specification of a plugin. A plugin has a name as well. */
function isBuildConfiguration(input: Input): boolean {
  const keys = Object.keys(input)
  return keys.length > 0 && keys.every((key) => ['buildType', 'dockerfile', 'imageTag', 'pluginSpec'].includes(key))
}

const countOf = (input: Input, keys: readonly string[]): number =>
  keys.filter((key) => Object.hasOwn(input, key)).length

/** Which file of another kind this is; null for an object that may be a plugin or a pipeline. */
export function foreignKind(input: Input): string | null {
  if (kinds.has(input.kind)) return null
  const among = (marks: readonly Mark[]) => marks.find(([, isOne]) => isOne(input))?.[0] ?? null
  const isTelling = countOf(input, [...telling.pipeline, ...telling.plugin]) > 0
  return among(certain) ?? (isTelling ? null : among(likely))
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
