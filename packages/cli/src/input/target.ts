/**
 * Which kind of entity an object describes, judged by its top level alone.
 *
 * 1. `kind`, as `apply` reads it.
 * 2. Telling keys: those that only one kind has and that say what it does. More telling keys win.
 * 3. Otherwise, a key that the projection has for one kind only (`name` aside, which both use) decides for it.
 * 4. Otherwise there is no answer, and the caller asks for `--target`.
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

export function guessTarget(input: Readonly<Record<string, unknown>>): Target | null {
  const said = kinds.get(input.kind)
  if (said !== undefined) return said
  const count = (keys: readonly string[]) => keys.filter((key) => Object.hasOwn(input, key)).length
  const pipeline = count(telling.pipeline)
  const plugin = count(telling.plugin)
  if (pipeline !== plugin) return pipeline > plugin ? 'pipeline' : 'plugin'
  if (pipeline > 0) return null
  return count(supporting) > 0 ? 'plugin' : null
}
