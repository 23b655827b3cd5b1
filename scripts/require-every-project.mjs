// Fails if a project of the test run ran no test, or if services are required and a test was skipped.
import { readFileSync } from 'node:fs'

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const places = [
  'packages/engine',
  'packages/audit-chain',
  'packages/billing-core',
  'packages/rules',
  'packages/server',
  'packages/client',
  'packages/cli',
  'packages/console',
  'scripts',
]
const problems = []
for (const place of places) {
  const tests = report.testResults
    .filter((file) => file.name.includes(`/${place}/`))
    .flatMap((file) => file.assertionResults)
  if (tests.filter((test) => test.status === 'passed').length === 0) problems.push(`no test of ${place} ran`)
  if (process.env.PLUMBLINE_REQUIRE_SERVICES === '1') {
    for (const test of tests) {
      if (test.status !== 'passed' && test.status !== 'failed')
        problems.push(`skipped although services are required: ${test.fullName}`)
    }
  }
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
