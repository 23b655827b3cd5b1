/**
 * Effective values: the attributes after tokens are replaced.
 *
 * The properties of a pipeline may refer to its own `metadata` and `vars`. What they resolve to is what is deployed, so
 * the server and the command line both let rules read the resolved values. INVARIANT: a value without tokens is
 * returned as the same value, and nothing is resolved twice: a text that contains an escaped `{{` would be a token the
 * second time.
 */
import { parseFieldPath } from '../path/field-path.js'
import { projection } from '../projection/projection.js'
import type { Attributes, Evaluation, Rule, Target } from '../types.js'
import { isObject, own } from '../value/own.js'
import { resolveTokens } from './resolve.js'
import { hasToken, readText, TokenError } from './token.js'

/** A token that has no value when the record is written. */
export interface UnresolvedToken {
  /** Keys from the root of the attributes to the text. */
  readonly path: readonly string[]
  readonly token: string
}

export interface EffectiveAttributes {
  readonly attributes: Attributes
  readonly unresolved: readonly UnresolvedToken[]
}

/** A rule that read a text in which a token has no value. It evaluated the text as it is written. */
export interface UnresolvedRead {
  readonly ruleId: string
  readonly ruleName: string
  readonly field: string
  readonly token: string
}

/** Texts of a plugin whose tokens get their values when a pipeline runs the plugin. */
const PLUGIN_TEXTS = ['commands', 'installCommands']
const READS_MAX = 20

/**
 * Resolves the tokens of an entity and lists those without a value.
 *
 * @param attributes The attributes of the record or its file. They must be within the limits (`checkAttributes`).
 */
export const effectiveAttributes = (target: Target, attributes: Attributes): EffectiveAttributes =>
  target === 'pipeline' ? effectivePipeline(attributes) : { attributes, unresolved: pluginTokens(attributes) }

function effectivePipeline(attributes: Attributes): EffectiveAttributes {
  const props = own(attributes, 'props')
  // Aliases show values of the properties, so they are resolved in the same way.
  const aliases = projection.aliases.pipeline.filter(({ from }) => from[0] === 'props').map(({ alias }) => alias)
  const keys = ['props', ...aliases].filter((key) => holdsToken(own(attributes, key)))
  if (keys.length === 0 || !isObject(props)) return { attributes, unresolved: [] }
  const roots = { metadata: own(props, 'metadata') ?? {}, vars: own(props, 'vars') ?? {} }
  const unresolved: UnresolvedToken[] = []
  const resolved: Record<string, unknown> = { ...attributes }
  for (const key of keys) {
    const { value, issues } = resolveTokens(attributes[key], roots, `/${key}`)
    resolved[key] = value
    unresolved.push(...issues.map(({ path, token }) => ({ path: segmentsOf(path), token })))
  }
  return { attributes: resolved, unresolved }
}

const segmentsOf = (pointer: string): string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function pluginTokens(attributes: Attributes): UnresolvedToken[] {
  return PLUGIN_TEXTS.flatMap((key) => {
    const list = own(attributes, key)
    if (!Array.isArray(list)) return []
    return list.flatMap((text: unknown, at): UnresolvedToken[] => {
      if (typeof text !== 'string' || !hasToken(text) || text.length > PLUGIN_TEXT_MAX) return []
      const first = readText(text).find((part) => typeof part !== 'string' && !(part instanceof TokenError))
      return first === undefined || typeof first === 'string' || first instanceof TokenError
        ? []
        : [{ path: [key, String(at)], token: `{{ ${first.path.join('.')} }}` }]
    })
  })
}
const PLUGIN_TEXT_MAX = 65_536

function holdsToken(value: unknown): boolean {
  if (typeof value === 'string') return hasToken(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsToken)
}

/** Operators that ask whether there is a value, or how many, and not what it is. */
const COUNTING: ReadonlySet<string> = new Set(['exists', 'notExists', 'notEmpty', 'countGt', 'countLt'])

/** Returns which of the evaluated rules read an unresolved token. The list is limited to what a verdict may show. */
export function unresolvedReads(
  rules: readonly Rule[],
  target: Target,
  { skipped }: Pick<Evaluation, 'skipped'>,
  unresolved: readonly UnresolvedToken[],
): readonly UnresolvedRead[] {
  if (unresolved.length === 0) return []
  const left = new Set(skipped.map(({ ruleId }) => ruleId))
  const reads: UnresolvedRead[] = []
  for (const rule of rules) {
    const ruleId = rule.id ?? rule.name
    if (rule.target !== target || left.has(ruleId)) continue
    const checks = rule.conditions?.length ? rule.conditions : [{ field: rule.field, operator: rule.operator }]
    const seen = new Set<string>()
    for (const { field, operator } of checks) {
      if (typeof field !== 'string') continue
      for (const { path, token } of unresolved) {
        if (seen.has(`${field}\n${token}`) || !isRead(field, operator ?? '', path)) continue
        if (reads.length === READS_MAX) return reads
        seen.add(`${field}\n${token}`)
        reads.push({ ruleId, ruleName: rule.name, field, token })
      }
    }
  }
  return reads
}

function isRead(field: string, operator: string, path: readonly string[]): boolean {
  const parsed = parseFieldPath(field)
  if (!parsed.ok) return false
  const { segments, calls } = parsed.path
  const common = Math.min(segments.length, path.length)
  for (let at = 0; at < common; at++) if (segments[at] !== path[at]) return false
  // The rule reads the text itself or a part of its later value. Otherwise the text is only a part of what the rule
  // reads.
  return segments.length >= path.length || (calls.length === 0 && !COUNTING.has(operator))
}
