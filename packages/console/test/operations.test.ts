/** Each operation of the API has a screen that offers it, or a listed reason why it has none. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

/** `GET /compliance/rules` → `compliance.rule.list`, from the generated client. */
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

/** The calls in the sources: with the client, as a link to a file, or as a stream. */
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
    for (const [, path] of source.matchAll(/'(\/(?:pipelines|plugins)\/generate\/(?:from-url\/)?stream)'/g))
      calls.add(`POST ${path}`)
    for (const [, , path] of source.matchAll(/(load|fileAddress)\([^'`]*['`](\/[^'`]+)['`]/g))
      calls.add(`GET ${path?.replaceAll(/\$\{[^}]+\}/g, '{id}')}`)
    for (const [, path] of source.matchAll(/path: '(\/events)'/g)) calls.add(`GET ${path}`)
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
  [
    /^identity\.organization\.(update|get|set-tier|set-seat-limit)$|^quota\.quota\.(list|get-status|reset)$|^quota\.at-risk\.list-own$/,
    'by the command line; tiers are set with the limits, and the own quotas say how near they are',
  ],
  [
    /^identity\.(member\.(add|bulk-add|probe)|role\.unassign|service-principal\.update)$|^compliance\.role\./,
    'by the command line',
  ],
  [
    /^quota\.quota\.increment$|^compliance\.event\.take$|^compliance\.entitlement\.|^audit\.event\.(ingest|erase)$|^audit\.(checkpoint|key)\./,
    'for services, or for offline verifiers',
  ],
  [
    /^sso\.(social-sign-in\.(?!begin$).*|social-invitation\..*|sign-in\.(?!(attach|authorize|discover)$).*|session\.end|backchannel-logout\.receive|scim-(group|resource-type|schema|service|user)\..*)$/,
    'called by the pages of a sign-in, by providers and by directories',
  ],
  [
    /^sso\.(default-provider\..*|provider\.(get|set))$/,
    'the list shows and changes every provider, the default one among them',
  ],
  [
    /^plugin\.scan\.|^plugin\.provenance\.list-keys$/,
    'reports and keys for other programs, by the command line and the API',
  ],
  [
    /^billing\.(call|clock|credit|entitlement|kept-invoice|promotion|reconcile|webhook-event)\.|^billing\.(discount\.(list|create|get|update|revoke|apply|preview-apply|issue-token|remove)|event\.list-all|subscription\.(list|override|delete)|summary\.get-all)$/,
    "billing of every organization is the operator's, by the command line",
  ],
  [/^billing\.(webhook|notification)\.|^billing\.purchase\./, 'called by a payment provider or a marketplace'],
  [/^billing\.(plan\.get|addon\.remove|summary\.(get-allocation|get-usage-by-team))$/, 'by the command line'],
  [
    /^reporting\.(event|webhook|retention-sync)\.|^reporting\.(health\.report|incident\.(report|receive-\w+|test))$/,
    'sent by programs',
  ],
  [
    /^reporting\.(action-failure|build-health|duration|error|stage-bottleneck|stage-failure|success-rate|plugin-[\w-]+|pipeline-execution|incident-settings)\.|^reporting\.execution\.count$/,
    'further reports, by the command line and as CSV',
  ],
  [/^ai\.(pipeline|plugin)\.generate$/, 'the console follows the same as a stream'],
  [/^ai\.plugin\.list-providers$/, 'the same as those of pipelines'],
  [/^plugin\.builder\./, 'for builders'],
  [
    /^registry\.(event|token|blob)\.|^registry\.image\.collect$/,
    'for the registry and its clients, and by the command line',
  ],
  [
    /^plugin\.plugin\.(find|lookup|update|bulk-update|bulk-delete|release|verify)|^plugin\.(release|secret|key|release-key|secret-release)\./,
    'by the command line',
  ],
  [
    /^pipeline\.template\.(create|update|get)$|^pipeline\.registry\.|^pipeline\.pipeline\.(find|bulk-update|bulk-delete)$|^pipeline\.revision\.get$/,
    'made and changed as files, by the command line',
  ],
  [
    /^message\.(attachment\.list|message\.(edit|delete|read|purge|restore|list-deleted)|announcement|conversation|event)/,
    'the inbox lists threads, writes and answers; the rest by the command line',
  ],
  [
    /^compliance\.(template\.clone|subscription\.auto-create|preview\.run|plugin\.validate|pipeline\.validate)$/,
    'not offered yet; by the command line',
  ],
  [/^sso\.step-up\.exchange$/, 'of the command line, whose person confirms in a browser'],
]

describe('operations', () => {
  const all = operationsOfClient()
  const calls = callsOfConsole()
  const isOffered = (call: string) => calls.has(call) || calls.has(call.replaceAll(/\{[^}]+\}/g, '{id}'))
  const without = [...all].filter(([call]) => !isOffered(call))

  it('are read from the client', () => expect(all.size).toBeGreaterThan(300))

  it('are all of the API: nothing is called that the server does not have', () => {
    const known = new Set([...all.keys()].flatMap((call) => [call, call.replaceAll(/\{[^}]+\}/g, '{id}')]))
    const unknown = [...calls].filter((call) => !known.has(call))
    expect(unknown, 'not in the client: correct the call, or run `npm run generate`').toEqual([])
  })

  it('have a screen, or a reason why none offers them', () => {
    const unexplained = without.filter(([, name]) => !REASONS.some(([fits]) => fits.test(name)))
    expect(unexplained, 'call it from a screen, or add it to REASONS with why no screen does').toEqual([])
  })

  it('no reason is left over, and none is given for what a screen offers', () => {
    const names = without.map(([, name]) => name)
    const unused = REASONS.filter(([fits]) => !names.some((name) => fits.test(name))).map(([fits]) => String(fits))
    expect(unused, 'every operation of it has a screen: take it out of REASONS').toEqual([])
    const offered = [...all].filter(([call]) => isOffered(call)).map(([, name]) => name)
    const both = offered.filter((name) => REASONS.some(([fits]) => fits.test(name)))
    expect(both, 'has a screen now: take it out of REASONS').toEqual([])
  })

  it('are offered, most of those that people decide with', () => {
    const compliance = [...all].filter(([, name]) => name.startsWith('compliance.'))
    const offered = compliance.filter(([call]) => isOffered(call))
    expect(offered.length / compliance.length).toBeGreaterThan(0.5)
  })
})
