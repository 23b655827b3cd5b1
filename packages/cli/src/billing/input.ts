/**
 * What the billing commands read: options, settings, files.
 * Every mistake is a usage error that names the option or setting, and the code of the refusal if there is one.
 */
import {
  type Addon,
  type Catalogue,
  type Cents,
  cents,
  type Loaded,
  loadCatalogue,
  parseAddons,
  type Refusal,
  type Result,
  type SettingValues,
} from '@plumbline/billing-core'
import { readText } from '../audit/input.js'
import { type Invocation, type Io, UsageError } from '../command.js'

export function textOption(invocation: Invocation, name: string): string | undefined {
  const value = invocation.options[name]
  return typeof value === 'string' ? value : undefined
}

export function textOptions(invocation: Invocation, name: string): readonly string[] {
  const value = invocation.options[name]
  if (Array.isArray(value)) return value as readonly string[]
  return typeof value === 'string' ? [value] : []
}

export function requiredOption(invocation: Invocation, name: string, hint: string): string {
  const value = textOption(invocation, name)
  if (value === undefined) throw new UsageError(`--${name} is required`, hint)
  return value
}

export function isSet(invocation: Invocation, name: string): boolean {
  return invocation.options[name] === true
}

export function argument(invocation: Invocation, name: string): string {
  const value = invocation.arguments[0]
  if (typeof value !== 'string') throw new UsageError(`<${name}> is required`)
  return value
}

/** The value of a result. @throws UsageError for a refusal. */
export function take<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new UsageError(describeRefusal(result.refusal))
}

export function describeRefusal({ code, field, message }: Refusal): string {
  return `${code}${field === undefined ? '' : ` at ${field}`}: ${message}`
}

/** The environment, or the file of `--settings`. */
export async function readSettings(invocation: Invocation, io: Io): Promise<SettingValues> {
  const path = textOption(invocation, 'settings')
  if (path === undefined) return io.env
  const content = await readInput(path, io)
  return content.trimStart().startsWith('{') ? settingsFromJson(content, path) : settingsFromLines(content, path)
}

/** Returns what loaded, and prints its warnings to stderr. @throws UsageError that lists every mistake. */
export function takeLoaded<T>(loaded: Loaded<T>, io: Io): T {
  for (const { message } of loaded.warnings) io.stderr.write(`warning: ${message}\n`)
  if (loaded.ok) return loaded.value
  throw new UsageError(
    'the billing settings are malformed',
    undefined,
    loaded.issues.map((issue) => issue.message),
  )
}

export async function readCatalogue(invocation: Invocation, io: Io): Promise<Catalogue> {
  return takeLoaded(loadCatalogue(await readSettings(invocation, io)), io)
}

/** `--addon plugin_pack=2`, each bundle once. */
export function readAddons(invocation: Invocation, catalogue: Catalogue): readonly Addon[] {
  const list = textOptions(invocation, 'addon').map((value) => {
    const at = value.indexOf('=')
    const bundleId = at < 0 ? value : value.slice(0, at)
    const quantity = at < 0 ? '1' : value.slice(at + 1)
    // Only digits are a quantity: Number would also take '1e3', '0x10' and ' '.
    return { bundleId, quantity: /^-?[0-9]+(\.[0-9]+)?$/.test(quantity) ? Number(quantity) : quantity }
  })
  return take(parseAddons(catalogue, list, '--addon'))
}

/** `25`, `25.50`: dollars with at most two decimals, read without floating point. */
export function parseDollars(text: string, option: string): Cents {
  const match = /^([0-9]{1,13})(?:\.([0-9]{2}))?$/.exec(text)
  if (match === null) throw new UsageError(`${option} must be dollars such as 25 or 25.50, not \`${text}\``)
  return cents(Number(match[1]) * 100 + Number(match[2] ?? 0), option)
}

const FILE_BYTES_MAX = 256 << 20

/** The text of a file, or of stdin for `-`. @throws UsageError when it cannot be read. */
export const readInput = async (path: string, io: Io): Promise<string> =>
  (await readText(path, io, FILE_BYTES_MAX)).replace(/^\ufeff/, '')

export function parseJsonText(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`\`${path}\` is not JSON`)
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function settingsFromJson(content: string, path: string): SettingValues {
  const value = parseJsonText(content, path)
  const entries = isRecord(value) ? Object.entries(value) : []
  for (const [name, setting] of entries) {
    if (typeof setting !== 'string') throw new UsageError(`\`${path}\`: ${name} must be a text, as in the environment`)
  }
  return Object.fromEntries(entries) as SettingValues
}

function settingsFromLines(content: string, path: string): SettingValues {
  const values: Record<string, string> = {}
  for (const [index, line] of content.split('\n').entries()) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`\`${path}\` line ${index + 1} must be KEY=VALUE`)
    values[text.slice(0, at)] = text.slice(at + 1)
  }
  return values
}
