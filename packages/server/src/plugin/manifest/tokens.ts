/**
 * Template tokens of a plugin: `{{ path | filter }}` in what a build runs. The contract lists the values of a pipeline
 * that the plugin needs, so that a missing one is found when the pipeline is created and not when it runs. Source: spec
 * platform 8.2, 10.2.
 */
import { hasToken, readText, type Token, TokenError } from '@plumbline/engine'
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

const FIELD_BYTES_MAX = 65_536
const TOKENS_MAX = 200
const NAME_LENGTH_MAX = 64
const SCOPES = ['pipeline', 'plugin', 'env']
/** Fields of a pipeline besides `metadata` and `vars`. */
const PIPELINE_FIELDS = ['project', 'projectName', 'organization', 'organizationName', 'pipelineName', 'orgId', 'id']
const PLUGIN_FIELDS = ['name', 'version', 'category', 'computeType', 'pluginType', 'timeout', 'primaryOutputDirectory']

/** All issues with the tokens of one text. */
export function tokenIssues(text: string, contract: Contract): TokenIssue[] {
  if (!hasToken(text)) return []
  if (Buffer.byteLength(text) > FIELD_BYTES_MAX) {
    return [{ code: 'TEMPLATE_SIZE_EXCEEDED', message: `a text with tokens can have at most ${FIELD_BYTES_MAX} bytes` }]
  }
  const tokens = readText(text).filter((part) => typeof part !== 'string')
  if (tokens.length > TOKENS_MAX) {
    return [{ code: 'TEMPLATE_SIZE_EXCEEDED', message: `a text can have at most ${TOKENS_MAX} tokens` }]
  }
  return tokens.flatMap((token) => {
    if (token instanceof TokenError) return [notToken(token.message)]
    const issue = pathIssue(token) ?? contractIssue(token, contract)
    return issue === null ? [] : [issue]
  })
}

const notToken = (why: string): TokenIssue => ({
  code: 'TEMPLATE_PARSE_ERROR',
  message: `${why}; write \`{{{{\` for the characters themselves`,
})

function pathIssue({ path }: Token): TokenIssue | null {
  const [scope = '', field, name] = path
  const written = path.join('.')
  if (scope === 'secrets' || (scope === 'pipeline' && field === 'secrets')) {
    return {
      code: 'TEMPLATE_SECRETS_RESERVED',
      message: `\`${written}\`: secrets are declared in \`secrets\` and reach the build as variables`,
    }
  }
  if (path.some((each) => each.length > NAME_LENGTH_MAX)) {
    return notToken(`a name can have at most ${NAME_LENGTH_MAX} characters`)
  }
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
      ? `\`${written}\` is not a token: \`pipeline.metadata.<name>\`, \`pipeline.vars.<name>\`, ${PIPELINE_FIELDS.map((each) => `\`pipeline.${each}\``).join(', ')}, \`plugin.<field>\` or \`env.<name>\``
      : `\`${written}\` begins with none of ${SCOPES.join(', ')}`,
  }
}

/** The types that each coercing filter returns. */
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
  // guard: a-contract-is-kept
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
