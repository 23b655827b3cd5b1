/** No function is longer than a screen: what does more has parts with names. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { longFunctions } from '../long-functions.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LINES_MAX = 70

/** Each as long as it is today, to be split; nothing is added here. */
const LONGER_TODAY: readonly string[] = [
  'bench/src/engine/hand-written.ts check',
  'bench/src/server/area.ts http',
  'packages/audit-chain/proof/bundle-vectors.ts questionBundles',
  'packages/audit-chain/proof/tamper.ts attacksOn',
  'packages/audit-chain/proof/trees.ts refuseMutations',
  'packages/billing-core/proof/invoices.ts liveTwoYears',
  'packages/billing-core/proof/invoices.ts rollLedger',
  'packages/billing-core/proof/ledger-model.ts run',
  'packages/cli/src/report/pretty.ts prettyReporter',
  'packages/engine/src/catalogue/operators.ts entries',
  'packages/engine/src/domain/text-machine.ts patternMachine',
  'packages/engine/src/regex/positions/matcher.ts positionMatcher',
  'packages/server/proof/fuzz/fuzz.ts requestMaker',
  'packages/server/proof/isolation/isolation.ts requestMaker',
  'packages/server/proof/soak/load.ts startLoad',
  'packages/server/proof/speed/compliance.ts startServer',
  'packages/server/proof/speed/target.ts startServer',
  'packages/server/proof/verdicts/server.ts openReplicas',
  'packages/server/proof/world/builder.ts #organization',
  'packages/server/src/identity/authenticator.ts createAuthenticator',
  'packages/server/src/plugin/build/queue.ts createBuildQueue',
  'packages/server/test/support/identity-story.ts identityStory',
  'packages/server/test/support/past-world.ts makePastWorld',
  'packages/server/test/support/replica-processes.ts startReplicas',
  'scripts/test/shell-commands.ts read',
]

const longIn = (file: string, text: string): string[] =>
  longFunctions(file, text, LINES_MAX).map(({ name }) => `${file} ${name}`)

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(packages|bench|examples|scripts)\//.test(file) && !/\.test(-d)?\.ts$/.test(file))
  .filter((file) => file !== 'packages/client/src/api.ts')

test(`no function has more than ${LINES_MAX} lines but tables of data and suites of tests`, () => {
  expect(files.length).toBeGreaterThan(1000)
  const found = files.flatMap((file) => longIn(file, readFileSync(join(root, file), 'utf8')))
  expect(found.sort()).toEqual([...LONGER_TODAY].sort())
})

test('a function of one line too many is found, whatever form it has', () => {
  const lines = (count: number) => 'void 0\n'.repeat(count)
  const forms = (count: number) => [
    `function long() {\n${lines(count - 2)}}`,
    `const long = async () => {\n${lines(count - 2)}}`,
    `class C {\nlong() {\n${lines(count - 2)}}\n}`,
    `const o = { long: function () {\n${lines(count - 2)}} }`,
  ]
  for (const form of forms(LINES_MAX)) expect(longIn('a.ts', form)).toEqual([])
  for (const form of forms(LINES_MAX + 1)) expect(longIn('a.ts', form)).toEqual(['a.ts long'])
  const data = `const table = () => ({\n${'a: 1,\n'.repeat(LINES_MAX)}})`
  expect(longIn('a.ts', data)).toEqual([])
})
