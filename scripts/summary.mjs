// Prints, from the test run's JSON report, the files that took longest, and last the one closing line of CI.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const FILES_SHOWN = 20

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
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`)
