// Prints the one closing line of CI from the test run's JSON report.
import { readFileSync } from 'node:fs'

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
)
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`)
