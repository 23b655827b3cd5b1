// Prints, from the JSON report of the tests, the slowest files, the tests that failed, and last the one closing line of CI.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const FILES_SHOWN = 10
const FAILURES_SHOWN = 40

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
)
const files = testResults
  .map(({ name, startTime, endTime }) => ({
    name: relative(process.cwd(), name),
    seconds: (endTime - startTime) / 1000,
  }))
  .sort((a, b) => b.seconds - a.seconds)
for (const { name, seconds } of files.slice(0, FILES_SHOWN)) console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`)

const firstLine = (text = '') => text.split('\n', 1)[0]
const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
  const file = relative(process.cwd(), name)
  const tests = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => `FAILED: ${file}: ${fullName}: ${firstLine(failureMessages[0])}`)
  // A file whose setup throws fails without a test.
  return tests.length === 0 && status === 'failed' ? [`FAILED: ${file}: ${firstLine(message)}`] : tests
})
for (const failure of failures.slice(0, FAILURES_SHOWN)) console.log(failure)
if (failures.length > FAILURES_SHOWN) console.log(`FAILED: ${failures.length - FAILURES_SHOWN} more`)

console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`)
