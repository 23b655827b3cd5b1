/**
 * A scan as a state machine. The steps come in any order: workers that die before or after a commit, workers that sleep
 * and wake, a second start, a cancellation, records that are added and deleted. The counts always match the model, each
 * record has at most one row, and an invalid transition is refused and changes nothing.
 */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, noLatest, recordKey, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { type JobContext, LeaseLost } from '../../runtime/jobs/define.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Store, Tx } from '../../runtime/store/db.js'
import { complianceTables, type ScanRow } from '../tables.js'
import { scanJob } from './job.js'
import { SCAN_JOB } from './open.js'

const BATCH = 3
const NEVER = Number.POSITIVE_INFINITY
const idOf = (n: number) => `99999999-9999-7999-8999-${String(n).padStart(12, '0')}`

class Died extends Error {}

interface Model {
  /** Numbers of the stored records; records with an even number are blocked. */
  readonly records: Set<number>
  scan: null | { id: string; status: string; seen: Set<number>; last: number }
}

interface Real {
  readonly kit: ComplianceApp
  readonly store: Store
  readonly ada: SignedIn
}

/**
 * Runs one worker that dies after a number of commits, or sleeps before one of them while `asleep` runs.
 * @param commits the worker dies at the next commit after these.
 */
async function work(
  { kit, store, ada }: Real,
  scanId: string,
  commits: number,
  asleep?: () => Promise<void>,
): Promise<void> {
  const scope = store.tenant({ orgId: ada.orgId, readableOrgIds: [SYSTEM_ORG_ID] })
  let left = commits
  const transact = <T>(run: (tx: Tx) => Promise<T>): Promise<T> => {
    if (left === 0) throw new Died()
    left -= 1
    return scope.write(run)
  }
  const writeOf = (tx: Tx) => ({
    tx,
    nowMs: kit.app.clock.now(),
    audit: async () => undefined,
    enqueue: (message: Parameters<typeof enqueue>[2]) => enqueue(tx, kit.app.runtime, message),
  })
  let writes = 0
  const context: JobContext<never> = {
    runtime: kit.app.runtime,
    job: { id: 'job', kind: SCAN_JOB, orgId: ada.orgId, attempt: 1 },
    nowMs: kit.app.clock.now(),
    signal: new AbortController().signal,
    read: (run) => scope.read(run),
    async write(run) {
      writes += 1
      if (writes === 3) await asleep?.()
      return transact((tx) => run(writeOf(tx)))
    },
    finish: (run) => transact((tx) => run(writeOf(tx))),
  }
  try {
    await scanJob.run(context as never, { scanId })
  } catch (error) {
    if (
      !(error instanceof Died) &&
      !(error instanceof LeaseLost) &&
      !(error instanceof Error && error.cause instanceof Died)
    )
      throw error
  }
}

async function stored({ store }: Real, scanId: string) {
  return store.system.read(async (db) => {
    const { scans, checks } = complianceTables(db)
    const [row] = await db.select().from(scans).where(eq(scans.id, scanId))
    const rows = await db
      .select({ entityId: checks.entityId, result: checks.result })
      .from(checks)
      .where(eq(checks.scanId, scanId))
    return { row: row as ScanRow, rows }
  })
}

/** Compares the server with the model after each step. */
async function agree(model: Model, real: Real): Promise<void> {
  if (model.scan === null) return
  const { row, rows } = await stored(real, model.scan.id)
  expect(row.status).toBe(model.scan.status)
  expect(rows.map(({ entityId }) => entityId).sort()).toEqual([...model.scan.seen].map(idOf).sort())
  expect(row.processedEntities).toBe(model.scan.seen.size)
  expect(row.passCount + row.warnCount + row.blockCount).toBe(row.processedEntities)
  expect(row.blockCount).toBe([...model.scan.seen].filter((n) => n % 2 === 0).length)
  expect(row.totalEntities).toBeGreaterThanOrEqual(row.processedEntities)
  const isOpen = model.scan.status === 'pending' || model.scan.status === 'running'
  expect(row.pluginSlot).toBe(isOpen ? 'open' : null)
}

const isOpen = ({ scan }: Model) => scan !== null && (scan.status === 'pending' || scan.status === 'running')

/**
 * Moves the model by the commits of a worker: the first sets it to running, each further one takes a batch, and the
 * last one ends it.
 */
function advance(model: Model, commits: number): void {
  const { scan } = model
  if (scan === null || !isOpen(model)) return
  let left = commits
  if (scan.status === 'pending' && left > 0) {
    scan.status = 'running'
    left -= 1
  }
  if (scan.status !== 'running') return
  for (; left > 0; left--) {
    const next = [...model.records]
      .filter((n) => n > scan.last)
      .sort((a, b) => a - b)
      .slice(0, BATCH)
    if (next.length === 0) {
      scan.status = 'completed'
      return
    }
    for (const n of next) scan.seen.add(n)
    scan.last = next.at(-1) ?? scan.last
  }
}

type Command = fc.AsyncCommand<Model, Real>
const command = (
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: Command['check'] = () => true,
): Command => ({
  check,
  async run(model, real) {
    await run(model, real)
    await agree(model, real)
  },
  toString: () => name,
})

const start = command('start', async (model, { kit, ada }) => {
  const answer = await kit.call(ada, 'POST', '/scans', { target: 'plugin' })
  if (isOpen(model)) {
    expect([answer.status, answer.body.details]).toEqual([409, { scanId: model.scan?.id }])
    return
  }
  expect(answer.status).toBe(201)
  model.scan = { id: answer.data.scan.id, status: 'pending', seen: new Set(), last: -1 }
})
const cancel = command(
  'cancel',
  async (model, { kit, ada }) => {
    const answer = await kit.call(ada, 'POST', `/scans/${model.scan?.id}/cancel`)
    expect(answer.status).toBe(isOpen(model) ? 200 : 409)
    if (model.scan !== null && isOpen(model)) model.scan.status = 'cancelled'
  },
  ({ scan }) => scan !== null,
)
const crash = (commits: number) =>
  command(
    `a worker with ${commits} commits`,
    async (model, real) => {
      await work(real, model.scan?.id ?? '', commits)
      advance(model, commits)
    },
    ({ scan }) => scan !== null,
  )
/**
 * One worker sleeps before its second batch; a second worker continues, to the end or not; then the first one wakes.
 */
const overtaken = (commits: number) =>
  command(
    `a worker that sleeps while another makes ${commits} commits`,
    async (model, real) => {
      let hasSlept = false
      await work(real, model.scan?.id ?? '', NEVER, async () => {
        hasSlept = true
        advance(model, 2)
        await work(real, model.scan?.id ?? '', commits)
        advance(model, commits)
      })
      // If the first worker was not overtaken, because nothing was left to do or nothing was done meanwhile, it
      // continues to the end.
      if (!hasSlept || commits === 0) advance(model, NEVER)
    },
    ({ scan }) => scan !== null && scan.status === 'pending',
  )
const add = (n: number) =>
  command(`record ${n} comes`, async (model, { kit, ada }) => {
    model.records.add(n)
    const attributes = { version: n % 2 === 0 ? 'latest' : '1.0.0' }
    kit.inventory.set(recordKey(ada.orgId, 'plugin', idOf(n)), {
      id: idOf(n),
      name: `record ${n}`,
      revision: 1,
      attributes,
    })
  })
const remove = (n: number) =>
  command(`record ${n} goes`, async (model, { kit, ada }) => {
    model.records.delete(n)
    kit.inventory.delete(recordKey(ada.orgId, 'plugin', idOf(n)))
  })

const number = fc.integer({ min: 0, max: 30 })
const all = fc.commands(
  [
    fc.constant(start),
    fc.constant(start),
    fc.constant(cancel),
    fc.integer({ min: 0, max: 6 }).map(crash),
    fc.integer({ min: 0, max: 6 }).map(crash),
    fc.integer({ min: 0, max: 8 }).map(overtaken),
    number.map(add),
    number.map(add),
    number.map(remove),
  ],
  { maxCommands: 24 },
)

await describeCompliance('a scan as a state machine', { stores: BOTH_DATABASES }, (kit, name) => {
  let real: Real
  beforeAll(async () => {
    Object.assign(kit.app.runtime.settings, { COMPLIANCE_SCAN_PROGRESS_BATCH_SIZE: BATCH })
    const ada = await signUp(kit.app, 'ada')
    await kit.call(ada, 'POST', '/rules', noLatest())
    real = { kit, store: kit.store, ada }
  })

  it('agrees with its model', { timeout: 300_000 }, async () => {
    const runs = Number(process.env['PLUMBLINE_TEST_SCAN_RUNS'] ?? (name === 'SQLite' ? 60 : 15))
    await fc.assert(
      fc.asyncProperty(all, async (commands) => {
        const { store } = real
        kit.inventory.clear()
        await store.system.write(async (tx) => {
          const { scans, checks } = complianceTables(tx)
          await tx.delete(scans)
          await tx.delete(checks)
          await tx.delete(jobTables(tx).jobs)
        })
        const records = new Set<number>()
        const model: Model = { records, scan: null }
        for (let n = 0; n < 10; n++) await add(n).run(model, real)
        await fc.asyncModelRun(() => ({ model, real }), commands)
      }),
      { numRuns: runs },
    )
  })
})
