/**
 * `npm run proof -- builds-fair [--builds 100] [--failures 30]`: ten organizations have as many builds waiting, and another
 * one has builds that fail, when three builders start. While all wait, no organization is a start ahead of another, and
 * in the end each build is over and each image is in the registry. The builds are real ones of an empty image.
 *
 * Where this machine can run no sandbox, or has no registry, it says why and ends with 3.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Build, ENDED, needsRig, openRig, type Person } from './rig.js'

const { values } = parseArgs({
  options: { builds: { type: 'string', default: '100' }, failures: { type: 'string', default: '30' } },
})
const ORGANIZATIONS = 10
const BUILDERS = 3
const ENDS_MS_MAX = 3_600_000
const [builds, failures] = [Number(values.builds), Number(values.failures)]
if (!(builds >= ORGANIZATIONS && builds % ORGANIZATIONS === 0 && failures >= 0)) {
  console.error(`--builds must be a multiple of ${ORGANIZATIONS}, --failures a whole number`)
  process.exit(2)
}
await needsRig('real builds are not shared here')

const NAME = `fair-${process.pid}`
const rig = await openRig(NAME)
const running: { kill(signal: 'SIGKILL' | 'SIGTERM'): unknown }[] = []
const problems: string[] = []
try {
  await main()
} finally {
  for (const child of running) child.kill('SIGKILL')
  await sleep(500)
  rig.remove()
}
for (const problem of problems) console.log(`FAIL  ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)

interface Waiting {
  readonly person: Person
  readonly jobs: readonly string[]
}

async function main(): Promise<void> {
  running.push(await rig.startRegistry(), await rig.startServer())
  const failing = await queued('failing', failures, (name) => ['FROM scratch', `LABEL name=${name}`, 'COPY nowhere /'])
  const others: Waiting[] = []
  for (let n = 0; n < ORGANIZATIONS; n++)
    others.push(await queued(`honest${n}`, builds / ORGANIZATIONS, (name) => ['FROM scratch', `LABEL name=${name}`]))
  rig.makeBuilders()
  const beganMs = performance.now()
  for (let n = 0; n < BUILDERS; n++) running.push(rig.startBuilder(`${NAME}-${n}`, 1))
  const failed = await ended(failing)
  const done = (await Promise.all(others.map(ended))).flat()
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(0)
  for (const { id, state, error } of done)
    if (state !== 'completed') problems.push(`build ${id} of an honest organization is ${state}: ${error}`)
  for (const { id, state } of failed) if (state !== 'dead') problems.push(`build ${id}, which must fail, is ${state}`)
  const ready = await readyOf(others)
  if (ready !== builds) problems.push(`${ready} of ${builds} plugins are ready`)
  judge(done, failed)
  console.log(
    `${builds} builds of ${ORGANIZATIONS} organizations beside ${failures} failures of another on ${BUILDERS} builders, in ${seconds} s`,
  )
}

async function queued(
  name: string,
  count: number,
  dockerfile: (plugin: string) => readonly string[],
): Promise<Waiting> {
  const person = await rig.person(name)
  const jobs: string[] = []
  for (let n = 0; n < count; n++) jobs.push(await rig.upload(person, `p${n}`, dockerfile(`${name}-${n}`)))
  return { person, jobs }
}

async function ended({ person, jobs }: Waiting): Promise<(Build & { readonly whose: string })[]> {
  for (const endMs = performance.now() + ENDS_MS_MAX; ; await sleep(1000)) {
    const all = await Promise.all(jobs.map((id) => rig.build(person, id)))
    if (all.every(({ state }) => ENDED.includes(state))) return all.map((each) => ({ ...each, whose: person.name }))
    if (performance.now() > endMs) throw new Error(`the builds of ${person.name} do not end`)
  }
}

async function readyOf(waiting: readonly Waiting[]): Promise<number> {
  let ready = 0
  for (const { person, jobs } of waiting) {
    for (const id of jobs) {
      const { plugin } = await rig.get(person, `/plugins/${(await rig.build(person, id)).pluginId}`)
      if (plugin.buildStatus === 'ready' && /^sha256:[0-9a-f]{64}$/.test(plugin.imageDigest)) ready += 1
    }
  }
  return ready
}

/** Goes through the starts in order. Those of one millisecond are one step, because their order is not known. */
function judge(done: readonly Started[], failed: readonly Started[]): void {
  const starts = [...done, ...failed].sort((a, b) => timeOf(a) - timeOf(b))
  const all = new Map<string, number>()
  for (const { whose } of starts) all.set(whose, (all.get(whose) ?? 0) + 1)
  const begun = new Map([...all.keys()].map((whose) => [whose, 0]))
  for (const [at, each] of starts.entries()) {
    begun.set(each.whose, (begun.get(each.whose) ?? 0) + 1)
    const next = starts[at + 1]
    if (next !== undefined && timeOf(next) === timeOf(each)) continue
    // Who has no build waiting any more is not waited for.
    const waiting = [...begun].filter(([whose, count]) => count < (all.get(whose) ?? 0)).map(([, count]) => count)
    const least = Math.min(...waiting)
    for (const [whose, count] of begun)
      if (count > least + 1) problems.push(`${whose} had ${count} starts while another one that waited had ${least}`)
  }
}

type Started = Pick<Build, 'startedAt'> & { readonly whose: string }

function timeOf({ startedAt }: Started): number {
  return Date.parse(startedAt ?? '')
}
