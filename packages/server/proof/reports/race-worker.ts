/** A process that makes sums of one organization until its input ends: `race-worker URL ORG`. */
import { rebuildDays } from '../../src/reporting/rollup/rebuild.js'
import { openPostgresStore } from '../../src/runtime/store/open-store.js'

const [url = '', orgId = ''] = process.argv.slice(2)
const store = await openPostgresStore({ url, connectionsMax: 2 })
let isOver = false
process.stdin.resume().on('end', () => {
  isOver = true
})
process.stdout.write('ready\n')
let made = 0
while (!isOver) {
  const marks = await store.system.write((tx) => rebuildDays(tx, orgId, 2))
  made += marks
  if (marks === 0) await new Promise((resolve) => setTimeout(resolve, 1))
}
process.stdout.write(`${made}\n`)
await store.close()
