/**
 * `npx tsx packages/server/proof/speed/builds.ts [ROUNDS]`: the build of an image with one RUN on its whole way, from the
 * upload until the plugin is ready, beside buildah alone in the same sandbox. Server, registry and builder are processes of
 * this machine. Each figure is the median of the rounds, which take turns.
 */
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openGroups } from '../../src/plugin/builder-program/cgroup.js'
import { buildInSandbox } from '../../src/plugin/builder-program/sandbox.js'
import { ENDED, needsRig, openRig, type Person } from '../builds/rig.js'

const LIMITS = { processes: 2048, diskMb: 256, memoryMb: 4096, cpus: 1, imageMb: 64 }
const MORE_MS_MAX = 500
const TIMES_MAX = 1.5
const DOCKERFILE = [
  ...['FROM scratch', 'COPY --chmod=755 busybox /bin/busybox', 'RUN ["/bin/busybox", "--install", "-s", "/bin"]'],
  'USER 1000',
]

await needsRig('builds are not measured')
const rounds = Number(process.argv[2] ?? 7)
const NAME = `speed-${process.pid}`
const groups = openGroups(NAME)
const rig = await openRig(NAME)
const running: { kill(signal: 'SIGKILL'): unknown }[] = []
try {
  running.push(await rig.startRegistry(), await rig.startServer())
  const ann = await rig.person('ann')
  rig.makeBuilders()
  running.push(rig.startBuilder(NAME, 1))
  await whole(ann, 'first')
  const [alone, ways]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    alone.push(await sandboxed())
    ways.push(await whole(ann, `p${round}`))
  }
  const [least, way] = [median(alone), median(ways)]
  const max = TIMES_MAX * least + MORE_MS_MAX
  console.log(
    `buildah in the sandbox: ${least.toFixed(0)} ms; from the upload to ready: ${way.toFixed(0)} ms (wanted: ${max.toFixed(0)})`,
  )
} finally {
  for (const child of running) child.kill('SIGKILL')
  await sleep(500)
  rig.remove()
}

async function sandboxed(): Promise<number> {
  const scratch = mkdtempSync(join(rig.folder, 'alone-'))
  const [context, bases] = [join(scratch, 'context'), join(scratch, 'bases')]
  for (const each of [context, bases]) mkdirSync(each)
  copyFileSync('/bin/busybox', join(context, 'busybox'))
  let log = ''
  const beganMs = performance.now()
  const end = await buildInSandbox({
    ...{ context, bases, scratch, imageFile: join(scratch, 'image.tar'), dockerfile: `${DOCKERFILE.join('\n')}\n` },
    ...{ buildArgs: {}, baseRefs: new Map(), secrets: [], smokeTest: null, limits: LIMITS, groups },
    signal: AbortSignal.timeout(120_000),
    onLog: (text) => {
      log += text.toString()
    },
  })
  if (end.kind !== 'built') throw new Error(`the build alone: ${end.kind}\n${log.slice(-1000)}`)
  return performance.now() - beganMs
}

async function whole(person: Person, name: string): Promise<number> {
  const beganMs = performance.now()
  const id = await rig.upload(person, name, [...DOCKERFILE, `LABEL name=${name}`])
  for (;;) {
    const { state, error } = await rig.build(person, id)
    if (state === 'completed') return performance.now() - beganMs
    if (ENDED.includes(state)) throw new Error(`the build of ${name} is ${state}: ${error}`)
    await sleep(20)
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
