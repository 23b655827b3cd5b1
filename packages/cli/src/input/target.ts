/**
 * Which kind of entity an object describes, judged by its top level alone.
 *
 * 1. `kind`, as `apply` reads it.
 * 2. Telling keys: those that only one kind has and that say what it does. More telling keys win.
 * 3. Otherwise, what has the marks of another tool's file (a package manifest, a Kubernetes object) is neither.
 * 4. Otherwise, a key that the projection has for one kind only (`name` aside, which both use) decides for it.
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

/** Files of other tools that lie beside plugins and pipelines, by the keys that only they have. */
const foreignMarks: readonly (readonly [what: string, isOne: (input: Readonly<Record<string, unknown>>) => boolean])[] =
  [
    ['a Kubernetes object', (input) => typeof input.apiVersion === 'string' && typeof input.kind === 'string'],
    ['a package manifest', (input) => packageKeys.some((key) => Object.hasOwn(input, key))],
    ['a Compose file', (input) => Object.hasOwn(input, 'services')],
    ['a CI workflow', (input) => Object.hasOwn(input, 'jobs')],
  ]
const packageKeys = ['dependencies', 'devDependencies', 'peerDependencies', 'scripts', 'workspaces', 'lockfileVersion']

type Input = Readonly<Record<string, unknown>>

const countOf = (input: Input, keys: readonly string[]): number =>
  keys.filter((key) => Object.hasOwn(input, key)).length

/** What another tool's file is; null for what may be a plugin or a pipeline. */
export function foreignKind(input: Input): string | null {
  if (kinds.has(input.kind)) return null
  const [isOne] = foreignMarks.filter(([, hasMarks]) => hasMarks(input))
  if (isOne === undefined) return null
  // A Kubernetes object says what it is; of the others a telling key counts for more.
  const isSaid = isOne[0] === 'a Kubernetes object'
  return isSaid || countOf(input, [...telling.pipeline, ...telling.plugin]) === 0 ? isOne[0] : null
}

/** The kind, where the object says it or only one kind has such keys: sure enough to look for files by it. */
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
  // As many telling keys of the one as of the other are not an answer.
  if (countOf(input, telling.pipeline) > 0) return null
  return countOf(input, supporting) > 0 ? 'plugin' : null
}
