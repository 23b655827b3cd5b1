// `npm run proof -- <area> [options]`: long test runs that `npm test` does not include.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildDriverIfMissing, installIfNeeded, root, status, tool } from './workspace.mjs'

const AREAS = {
  engine: ['packages/engine/proof/engine.ts', 'engine against the oracle: --cases N --seed S --workers N'],
  'engine-bugs': ['packages/engine/proof/planted-bugs.ts', 'planted engine bugs, each of which must be found'],
  regex: ['packages/engine/proof/regex.ts', 'regular expressions: --pairs N --patterns N --seed S'],
  lint: ['packages/engine/proof/lint.ts', 'recall of the static analysis on the planted corpus'],
  mutation: [
    'packages/engine/proof/mutation/main.ts',
    'mutation score of the engine (slow), of all or some parts: evaluate path/resolve.ts --budget MS --table',
    // Stryker starts processes that load its test runner, which is TypeScript.
    '--import tsx --disable-warning=ExperimentalWarning',
  ],
  'audit-chain': [
    'packages/audit-chain/proof/main.ts',
    'tampering, proofs, trees: --attacks N --proofs N --trees N --seed S',
  ],
  'billing-core': [
    'packages/billing-core/proof/main.ts',
    'ledger, combos, percent, metering, tokens: --ops N --seed S',
  ],
  content: [
    'packages/rules/proof/main.ts',
    'what the shipped rule libraries say about real specifications: --data FOLDER --stored',
  ],
  server: [
    'packages/server/proof/server.ts',
    'isolation of organizations and fuzzing of every operation, each answered with success once, sessions of each kind at each door: --isolation N --fuzz N --exercise --billing --door EVERY --engine sqlite|pglite|postgres --seed S --part 1/2',
  ],
  billing: [
    'packages/server/proof/billing/main.ts',
    'billing over HTTP against a model of the whole service, its histories in any order, an account by card under faults and disorder, previews, leaps of the clock, faults of the provider, kills, months of metering, purchases at a marketplace, races on PostgreSQL, planted bugs; without a size each of them: --steps N --card N --histories N --previews N --leaps N --faults N --kills N --months N --whole-months N --market N --races N --bugs all --seed S --engine sqlite|postgres',
  ],
  'same-answer': [
    'packages/console/proof/same-answer/main.ts',
    'one verdict on a draft by the page, by the count of the server and by a scan: --rules N --entities N --seed S --database URL',
  ],
  verdicts: [
    'packages/server/proof/verdicts/main.ts',
    'verdicts over HTTP against the engine’s oracle: --cases N --seed S --engine sqlite|pglite|postgres --world N',
  ],
  'check-log': [
    'packages/server/proof/check-log/main.ts',
    'no verdict without its row when the process is killed: --cycles N --engine sqlite|postgres --seed S',
  ],
  'server-guards': [
    'packages/server/proof/run-guards.ts',
    'each guard removed in turn must be noticed: --only TEXT --bugs reports --part 1/8 --from N --count N',
  ],
  'server-soak': [
    'packages/server/proof/soak/main.ts',
    'memory of the server under a steady mixed load: --minutes N --clients N',
  ],
  attacks: [
    'packages/server/proof/attacks/main.ts',
    'requests that once went through, against a server process: --engine sqlite|postgres --only TEXT',
  ],
  findings: [
    'packages/server/proof/findings/main.ts',
    'what reviewers found, sent again to a server process: --engine sqlite|postgres --only TEXT',
  ],
  stalls: [
    'packages/server/proof/stalls/main.ts',
    'each place of each body filled to the limit, and archives that are slow to read: none keeps the process busy: --share 1/4 --only TEXT',
  ],
  overload: [
    'packages/server/proof/overload/main.ts',
    'forms of 512 MB, sign-ins from many networks at once, guesses for days, HEAD, known holes: --uploads N --megabytes N --networks N --seconds N --days N --heads N --only NAME',
  ],
  egress: [
    'packages/server/proof/egress/main.ts',
    'webhooks pointed at every closed range, by names that lie and redirect, in a network of their own: --cases N --seed S',
  ],
  drafts: [
    'packages/server/proof/drafts/main.ts',
    'drafts over every wire of models: bad answers, injections with a model that obeys, hostile drafts, races for a budget, canaries: --runs N --injections N|all --hostile N --races N --engine sqlite|postgres --seed S',
  ],
  scim: [
    'packages/server/proof/scim/main.ts',
    'a directory in any order of calls against a model, filters against another reader: --runs N --engine sqlite|postgres --seed S',
  ],
  'sign-on': [
    'packages/server/proof/sign-on/main.ts',
    'who comes in by a provider against a model; sign-ins, directory and administrator in the same moment; lies of a provider; domains over a name server that lies; every flow over three replicas that are killed between its steps; without a size each of them: --runs N --races N --forged N --domains N --flows N|all --engine sqlite|postgres --seed S',
  ],
  'server-scans': [
    'packages/server/proof/scans/main.ts',
    'scans and schedules of a process that is killed again and again: --cycles N --seed S',
  ],
  'server-digests': [
    'packages/server/proof/digests/main.ts',
    'digests and webhooks of a process that is killed again and again: --cycles N --engine sqlite|postgres --seed S',
  ],
  builds: [
    'packages/server/proof/builds/hostile.ts',
    'hostile Dockerfiles in the sandbox of builders, as the user `builder`: canaries, processes, limits; part of a name tries those alone',
  ],
  'builds-kills': [
    'packages/server/proof/builds/kills.ts',
    'server, builder and registry killed in turn while builds run: each build ends once, what is ready is pulled by digest, nothing is left: --cycles N --engine sqlite|postgres --seed S',
  ],
  'builds-fair': [
    'packages/server/proof/builds/fair.ts',
    'real builds of ten organizations, and failures of another, on three builders: who waits is served in turn: --builds N --failures N',
  ],
  'registry-tokens': [
    'packages/server/proof/registry-tokens/main.ts',
    'tokens for the registry beside an oracle, before and after changes, then by skopeo on a real registry, forged ones, and how long old ones are good: --cases N --pulls N --engine sqlite|postgres --seed S',
  ],
  archive: [
    'packages/server/proof/archive/main.ts',
    'crafted and mutated archives through the isolated reader: --mutations N --seed S',
  ],
  reports: [
    'packages/server/proof/reports/main.ts',
    'random histories over HTTP: every report against an oracle without SQL, from facts and from sums, told in any order, over a team, after a sweep, while three processes make sums (PostgreSQL): --histories N --races N --engine sqlite|pglite|postgres --seed S',
  ],
  ledger: [
    'packages/server/proof/ledger/main.ts',
    'an exported credit ledger, changed in every way: --mutations N --seed S',
  ],
  'server-durability': [
    'packages/server/proof/durability/main.ts',
    'acknowledged writes survive kill -9, power loss, full disks; killed migrations; races: --cycles N --images N --points N --migrations N --races N --seed S',
  ],
}

const [area, ...args] = process.argv.slice(2)
await installIfNeeded()
await buildDriverIfMissing()
if (area !== undefined && Object.hasOwn(AREAS, area) && existsSync(join(root, AREAS[area][0]))) {
  const [entry, , nodeOptions = ''] = AREAS[area]
  const env = { NODE_OPTIONS: `--max-old-space-size=4096 ${nodeOptions}` }
  const isOnServer = entry.startsWith('packages/server/') || entry.startsWith('packages/console/')
  process.exitCode = isOnServer ? await runBundled(entry, env) : status(tool('tsx'), [entry, ...args], { env })
} else {
  const lines = Object.entries(AREAS).map(([name, [, summary]]) => `  ${name.padEnd(18)} ${summary}`)
  console.error(`usage: npm run proof -- <area> [options]\n\n${lines.join('\n')}`)
  process.exitCode = area === undefined || area === '--help' ? 0 : 2
}

/** Runs an entry as one file: to load the sources of the server one by one takes ten seconds of a processor. */
async function runBundled(entry, env) {
  const [{ build }, { forNode, ownAddresses, readerEntries, workspaceSources }] = await Promise.all([
    import('esbuild'),
    import('../packages/server/proof/workspace-sources.mjs'),
  ])
  const packages = join(root, 'packages')
  const folder = join(root, entry, '../'.repeat(entry.split('/').length - 2), `dist-proof-main-${process.pid}`)
  try {
    await build({
      ...forNode,
      entryPoints: { main: join(root, entry), ...readerEntries(packages) },
      outdir: folder,
      sourcemap: true,
      plugins: [ownAddresses, workspaceSources(packages)],
    })
    return status(process.execPath, ['--enable-source-maps', join(folder, 'main.js'), ...args], { env })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
