/**
 * Finds literals that look like credentials. They must not be in a pipeline, because every reader of the organization
 * sees its props. A secret of the organization is named as `secret:<name>` instead. Source: spec platform 8.2.
 */

import { escapePointer } from '@plumbline/engine'
import type { FieldIssue } from '../../runtime/errors.js'

/**
 * Formats that only credentials have. None of the patterns can backtrack: each repetition is of one class and of
 * bounded length.
 */
const FORMS: readonly (readonly [what: string, form: Pick<RegExp, 'test'>])[] = [
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})/],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20}/],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{10}/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{16}/],
  ['a Google API key', /\bAIza[A-Za-z0-9_-]{35}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}/],
  ['a private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/],
  ['a JSON Web Token', { test: holdsJsonWebToken }],
  ['a password in an address', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/{}]{1,100}:[^\s:@/{}]{3,100}@/],
]

/**
 * Two steps, because a single pattern that also finds the start would scan a long word again from each hyphen in it.
 */
function holdsJsonWebToken(text: string): boolean {
  for (const [, header = ''] of text.matchAll(/(?<![\w-])([\w-]{13,})\.eyJ[\w-]{10}/g)) {
    if (/\beyJ[\w-]{10}/.test(header)) return true
  }
  return false
}

/** Keys whose values are secrets, in lower case and without `_` and `-`. */
const SECRET_KEYS = new Set([
  'password',
  'passwd',
  'passphrase',
  'secret',
  'clientsecret',
  'token',
  'accesstoken',
  'authtoken',
  'apikey',
  'apitoken',
  'privatekey',
  'secretaccesskey',
  'secretkey',
])

/** Refers to a secret elsewhere: of the organization, in a secret manager, a token, or a variable of the build. */
const REFERENCE = /^(?:secret:|secretsmanager:|ssm:|arn:|vault:)|\{\{|^\$/
export const SECRET_REFERENCE = /^secret:[A-Za-z_][A-Za-z0-9_.-]{0,99}$/

const ISSUES_MAX = 100

export function findCredentials(value: unknown, at: string): FieldIssue[] {
  const issues: FieldIssue[] = []
  walk(value, at, '', (path, message) => {
    if (issues.length < ISSUES_MAX) issues.push({ path, message, code: 'credential' })
  })
  return issues
}

function walk(value: unknown, at: string, key: string, refuse: (path: string, message: string) => void): void {
  if (typeof value === 'string') {
    const problem = problemOf(value, key)
    if (problem !== null) refuse(at, problem)
  } else if (Array.isArray(value)) {
    for (const [n, each] of value.entries()) walk(each, `${at}/${n}`, key, refuse)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) walk(each, `${at}/${escapePointer(name)}`, name, refuse)
  }
}

function problemOf(text: string, key: string): string | null {
  if (text.startsWith('secret:')) {
    return SECRET_REFERENCE.test(text) ? null : 'has no name of a secret: write `secret:<name>`'
  }
  const found = FORMS.find(([, form]) => form.test(text))
  if (found !== undefined) return `looks like ${found[0]}: ${HINT}`
  const isSecret = SECRET_KEYS.has(key.toLowerCase().replaceAll(/[_-]/g, ''))
  return isSecret && text !== '' && !REFERENCE.test(text) ? `looks like a credential by its name: ${HINT}` : null
}

const HINT = 'set it as a secret of the organization and write `secret:<name>` here'
