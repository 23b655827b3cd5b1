/**
 * Template tokens of a plugin: `{{ path | filter }}` in what a build runs. The contract says which values of a pipeline it
 * needs, so that a missing one is found when the pipeline is made and not when it runs. Source: platform decisions 8.2, 10.2.
 */
import type { Contract } from './schema.js'

export type TokenCode =
  | 'TEMPLATE_PARSE_ERROR'
  | 'TEMPLATE_UNKNOWN_PATH'
  | 'TEMPLATE_SECRETS_RESERVED'
  | 'TEMPLATE_TYPE_MISMATCH'
  | 'TEMPLATE_CONTRACT_VIOLATION'
  | 'TEMPLATE_SIZE_EXCEEDED'

export interface TokenIssue {
  readonly code: TokenCode
  readonly message: string
}

interface Token {
  readonly path: readonly string[]
  readonly filters: readonly { readonly name: string; readonly argument: string | null }[]
}

const FIELD_BYTES_MAX = 65_536
const TOKENS_MAX = 200
const TOKEN_LENGTH_MAX = 1000
const DEPTH_MAX = 5
const SCOPES = ['pipeline', 'plugin', 'env']
const FILTERS = ['default', 'number', 'bool', 'json']
/** What a pipeline has besides `metadata` and `vars`. */
const PIPELINE_FIELDS = ['project', 'projectName', 'organization', 'organizationName', 'pipelineName', 'orgId', 'id']
const PLUGIN_FIELDS = ['name', 'version', 'category', 'computeType', 'pluginType', 'timeout', 'primaryOutputDirectory']

/** Everything that is wrong with the tokens of one text. */
export function tokenIssues(text: string, contract: Contract): TokenIssue[] {
  const found = tokensOf(text)
  if (found.length === 0) return []
  if (Buffer.byteLength(text) > FIELD_BYTES_MAX) {
    return [{ code: 'TEMPLATE_SIZE_EXCEEDED', message: `a text with tokens has at most ${FIELD_BYTES_MAX} bytes` }]
  }
  if (found.length > TOKENS_MAX) {
    return [{ code: 'TEMPLATE_SIZE_EXCEEDED', message: `a text has at most ${TOKENS_MAX} tokens` }]
  }
  return found.flatMap((inner) => {
    const token = inner === null ? null : parseToken(inner)
    if (token === null) {
      return [
        {
          code: 'TEMPLATE_PARSE_ERROR' as const,
          message:
            inner === null
              ? '`{{` has no `}}` near it; write `{{{{` for the characters themselves'
              : `\`{{${inner}}}\` is not a token; write \`{{{{\` for the characters themselves`,
        },
      ]
    }
    const issue = pathIssue(token) ?? contractIssue(token, contract)
    return issue === null ? [] : [issue]
  })
}

/** The insides of the tokens; null for one that never ends. `{{{{` stands for the characters. */
function tokensOf(text: string): (string | null)[] {
  const found: (string | null)[] = []
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at)) {
    if (text.startsWith('{{{{', at)) {
      at += 4
      continue
    }
    const end = text.indexOf('}}', at + 2)
    if (end === -1 || end > at + TOKEN_LENGTH_MAX) {
      found.push(null)
      return found
    }
    found.push(text.slice(at + 2, end))
    at = end + 2
  }
  return found
}

const PATH = /^[A-Za-z_][A-Za-z0-9_-]{0,63}(?:\.[A-Za-z_][A-Za-z0-9_-]{0,63})*$/
const FILTER = /^([a-z]+)(?:\s*:\s*('[^']*'|"[^"]*"|-?[0-9]+(?:\.[0-9]+)?|true|false|null))?$/

function parseToken(inner: string): Token | null {
  const [path = '', ...filters] = splitPipes(inner).map((part) => part.trim())
  if (!PATH.test(path)) return null
  const parsed = filters.map((text) => {
    const [, name = '', argument = null] = FILTER.exec(text) ?? []
    return { name, argument }
  })
  const isKnown = parsed.every(
    ({ name, argument }) => FILTERS.includes(name) && (name === 'default') === (argument !== null),
  )
  return isKnown ? { path: path.split('.'), filters: parsed } : null
}

/** Splits at pipes that are not inside quotes. */
function splitPipes(text: string): string[] {
  return text.match(/(?:'[^']*'|"[^"]*"|[^|'"]|['"])+/g) ?? ['']
}

function pathIssue({ path }: Token): TokenIssue | null {
  const [scope = '', field, name] = path
  const written = path.join('.')
  if (scope === 'secrets' || (scope === 'pipeline' && field === 'secrets')) {
    return {
      code: 'TEMPLATE_SECRETS_RESERVED',
      message: `\`${written}\`: secrets are declared in \`secrets\` and reach the build as variables`,
    }
  }
  if (path.length > DEPTH_MAX)
    return { code: 'TEMPLATE_PARSE_ERROR', message: `\`${written}\` is deeper than ${DEPTH_MAX} names` }
  const isKnown =
    (scope === 'pipeline' &&
      (field === 'metadata' || field === 'vars'
        ? name !== undefined
        : path.length === 2 && PIPELINE_FIELDS.includes(field ?? ''))) ||
    (scope === 'plugin' && path.length === 2 && PLUGIN_FIELDS.includes(field ?? '')) ||
    (scope === 'env' && path.length === 2)
  if (isKnown) return null
  return {
    code: 'TEMPLATE_UNKNOWN_PATH',
    message: SCOPES.includes(scope)
      ? `\`${written}\` names nothing: \`pipeline.metadata.<name>\`, \`pipeline.vars.<name>\`, ${PIPELINE_FIELDS.map((each) => `\`pipeline.${each}\``).join(', ')}, \`plugin.<field>\` or \`env.<name>\``
      : `\`${written}\` begins with none of ${SCOPES.join(', ')}`,
  }
}

/** The type that each coercing filter yields. */
const COERCES: Readonly<Record<string, readonly string[]>> = {
  number: ['number'],
  bool: ['bool', 'boolean'],
  json: ['json'],
}

function contractIssue({ path, filters }: Token, contract: Contract): TokenIssue | null {
  const [scope, field, name = ''] = path
  if (scope !== 'pipeline' || (field !== 'metadata' && field !== 'vars')) return null
  const required = field === 'metadata' ? contract.requiredMetadata : contract.requiredVars
  const types = field === 'metadata' ? contract.metadataTypes : contract.varsTypes
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  const hasDefault = filters.some((filter) => filter.name === 'default')
  if (!hasDefault && type === undefined && !required.includes(name)) {
    const [list, map] = field === 'metadata' ? ['requiredMetadata', 'metadataTypes'] : ['requiredVars', 'varsTypes']
    return {
      code: 'TEMPLATE_CONTRACT_VIOLATION',
      message: `\`${path.join('.')}\` is used without a default and declared neither in \`${list}\` nor in \`${map}\``,
    }
  }
  for (const filter of filters) {
    const yields = COERCES[filter.name]
    if (yields !== undefined && type !== undefined && !yields.includes(type)) {
      return {
        code: 'TEMPLATE_TYPE_MISMATCH',
        message: `\`${path.join('.')}\` is declared as ${type} and read as ${filter.name}`,
      }
    }
  }
  return null
}
