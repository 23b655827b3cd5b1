/** Each operation of the API has a screen that offers it, or a reason why none does. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

/** `GET /compliance/rules` → `compliance.rule.list`, out of the generated client. */
function operationsOfClient(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let path = ''
  for (const line of read('../../client/src/api.ts').split('\n')) {
    const begins = /^ {4}"(\/[^"]*)": \{$/.exec(line)
    if (begins !== null) path = begins[1] ?? ''
    const names = /^ {8}(get|put|post|delete|patch): operations\["([^"]+)"\];$/.exec(line)
    if (names !== null) found.set(`${names[1]?.toUpperCase()} ${path}`, names[2] ?? '')
    if (line.startsWith('export interface operations')) break
  }
  return found
}

/** What the sources call: by the client, as a link to a file, as a stream. */
function callsOfConsole(): ReadonlySet<string> {
  const folder = fileURLToPath(new URL('../src', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  const calls = new Set<string>()
  for (const file of files) {
    const source = readFileSync(join(folder, file), 'utf8')
    for (const [, method, path] of source.matchAll(/\.(GET|POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g))
      calls.add(`${method} ${path}`)
    for (const [, path] of source.matchAll(/'(\/(?:auth\/verify-email|auth\/email\/restore))'/g))
      calls.add(`POST ${path}`)
    for (const [, , path] of source.matchAll(/(load|fileAddress)\([^'`]*['`](\/[^'`]+)['`]/g))
      calls.add(`GET ${path?.replaceAll(/\$\{[^}]+\}/g, '{id}')}`)
    for (const [, path] of source.matchAll(/path: `(\/[^`]+)`/g))
      calls.add(`GET ${path?.replaceAll(/\$\{[^}]+\}/g, '{id}')}`)
  }
  return calls
}

/** Why an operation has no screen. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^identity\.auth\.(refresh|client-credentials|get-jwks|send-verification)$/,
    'for programs, or sent by the server itself',
  ],
  [/^identity\.auth\.switch-org$/, 'the organization is in the address'],
  [/^identity\.me\.(update|delete|get-preferences|set-preferences)$/, 'of the own account, by the command line'],
  [
    /^identity\.(user|super-admin|admin)\.|^identity\.organization\.(list|update|get|restore|set-|transfer)|^quota\.quota\.(list|update|get|get-status|reset)$|^quota\.at-risk\.|^identity\.(scim|sso|idp|saml|oidc|provider|domain|login-link|mapping|connection|federation)/,
    'system administration and sign-on, by the command line',
  ],
  [
    /^identity\.(member\.(add|bulk-add|probe)|role\.unassign|service-principal\.update)$|^compliance\.role\./,
    'by the command line',
  ],
  [
    /^quota\.quota\.increment$|^compliance\.event\.take$|^compliance\.entitlement\.|^audit\.event\.(ingest|erase)$|^audit\.(checkpoint|key)\./,
    'for services, or for offline verifiers',
  ],
  [/^sso\./, 'sign-on of the organization: this console does not have it yet'],
  [/^plugin\.(sbom|provenance|scan)\./, 'documents and reports for other programs, by the command line and the API'],
  [/^(billing|ai|registry|reporting|secret|forge|source)\./, 'an optional section that this console does not have yet'],
  [/^plugin\.(builder|build|queue|dlq)\./, 'builds: an optional section that this console does not have yet'],
  [
    /^plugin\.plugin\.(find|lookup|update|bulk-update|bulk-delete|deploy-generated|purge|release|verify)|^plugin\.(release|secret|key|release-key|secret-release)\./,
    'by the command line',
  ],
  [
    /^pipeline\.(template|registry)\.|^pipeline\.pipeline\.(create|update|find|validate|bulk-create|bulk-update|bulk-delete)$|^pipeline\.revision\.get$/,
    'made and changed as files, by the command line',
  ],
  [
    /^message\.(attachment|message\.(send|get|edit|delete|read|purge|restore|list-deleted)|announcement|conversation|unread|event)/,
    'the inbox lists threads and answers; the rest by the command line',
  ],
  [
    /^compliance\.(bundle\.export|template\.clone|subscription\.(auto-create|bulk-activate)|preview\.run|plugin\.validate|plugin\.validate-dry-run|pipeline\.validate|policy\.(get|update|list-deleted|purge|restore)|scan-schedule\.(update|delete|get)|finding\.get|check\.get|exemption\.get|notification-log\.get|inventory\.list)$/,
    'not offered yet; by the command line',
  ],
  [
    /^(identity|compliance|message|server|console|search|event|runtime)\.(search|event|inventory|link|record)\./,
    'not offered yet',
  ],
]

describe('operations', () => {
  const all = operationsOfClient()
  const calls = callsOfConsole()
  const isOffered = (call: string) => calls.has(call) || calls.has(call.replaceAll(/\{[^}]+\}/g, '{id}'))
  const without = [...all].filter(([call]) => !isOffered(call))

  it('are read from the client', () => expect(all.size).toBeGreaterThan(300))

  it('are all of the API: nothing is called that the server does not have', () => {
    const known = new Set([...all.keys()].flatMap((call) => [call, call.replaceAll(/\{[^}]+\}/g, '{id}')]))
    expect([...calls].filter((call) => !known.has(call))).toEqual([])
  })

  it('have a screen, or a reason why none offers them', () => {
    const unexplained = without.filter(([, name]) => !REASONS.some(([fits]) => fits.test(name)))
    expect(unexplained).toEqual([])
  })

  it('are offered, most of those that people decide with', () => {
    const compliance = [...all].filter(([, name]) => name.startsWith('compliance.'))
    const offered = compliance.filter(([call]) => isOffered(call))
    expect(offered.length / compliance.length).toBeGreaterThan(0.5)
  })
})
