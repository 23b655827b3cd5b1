/**
 * The settings of a run, each with its origin: an option wins over the configuration file, and that over the default.
 * INVARIANT: with `--policy-from` the configuration of the ref is used. That of the change under test is not read.
 */
import { dirname } from 'node:path'
import type { Invocation, Io } from '../command.js'
import { diskTree, type FileTree, gitTree } from '../input/file-tree.js'
import { findRepositoryRoot } from '../input/repository-root.js'
import { type ConfigFile, configFieldNames, findConfig } from './discover.js'
import { type ConfigName, type ConfigValues, configFields, normaliseConfigValue } from './fields.js'

export type Origin =
  | { readonly kind: 'default' }
  | { readonly kind: 'option'; readonly flag: string }
  | { readonly kind: 'file'; readonly file: string; readonly line: number | null }

interface Setting<T> {
  readonly value: T
  readonly origin: Origin
  /** The folder that paths and globs in the value are relative to. */
  readonly base: string
}

type SettingsByName = { readonly [name in ConfigName]: Setting<ConfigValues[name]> }

export interface Settings extends SettingsByName {
  readonly configFile: ConfigFile | null
  /** Where configuration, rules, exemptions and baseline are read: the disk, or the ref of `--policy-from`. */
  readonly policy: FileTree
  /** Names in fingerprints are relative to it: the repository, else the folder of the configuration, else `cwd`. */
  readonly root: string
}

export async function resolveSettings(invocation: Invocation, io: Io): Promise<Settings> {
  const { options } = invocation
  const policy = typeof options.policyFrom === 'string' ? await gitTree(io.cwd, options.policyFrom) : diskTree
  const named = typeof options.config === 'string' ? options.config : null
  const configFile = await findConfig(policy, io.cwd, named)
  const folder = configFile ? dirname(configFile.path) : io.cwd
  const settings = Object.fromEntries(
    configFieldNames.map((name) => [name, resolveOne(name, options, configFile, io.cwd, folder)]),
  ) as unknown as SettingsByName
  return { ...settings, configFile, policy, root: findRepositoryRoot(io.cwd) ?? folder }
}

function resolveOne(
  name: ConfigName,
  options: Readonly<Record<string, unknown>>,
  configFile: ConfigFile | null,
  cwd: string,
  folder: string,
): Setting<unknown> {
  const given = options[configFields[name].option ?? name]
  if (isGiven(name, given)) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const value = given === false ? null : normaliseConfigValue(name, given)
    return { value, origin: { kind: 'option', flag: given === false ? `--no-${flag.slice(2)}` : flag }, base: cwd }
  }
  const written = configFile?.values[name]
  if (configFile && written !== undefined) {
    const origin: Origin = { kind: 'file', file: configFile.file, line: configFile.positionOf(name)?.line ?? null }
    return { value: normaliseConfigValue(name, written), origin, base: folder }
  }
  return { value: configFields[name].default, origin: { kind: 'default' }, base: folder }
}

/** `--no-baseline` gives false. For `--no-match` and `--baseline` that were not given, commander gives true. */
function isGiven(name: ConfigName, value: unknown): boolean {
  if (value === undefined) return false
  return value === true ? name !== 'noMatch' && name !== 'baseline' : value !== false || name === 'baseline'
}

export function describeOrigin(origin: Origin): string {
  if (origin.kind === 'default') return 'default'
  if (origin.kind === 'option') return origin.flag
  return origin.line === null ? origin.file : `${origin.file}:${origin.line}`
}
