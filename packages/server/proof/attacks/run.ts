/** Sends cases to one server process and prints which of them did not get the answer that was ruled for them. */
import { parseArgs } from 'node:util'
import type { Attack } from './attacks.js'
import { startTarget, type Target } from './target.js'

export interface RunOptions {
  readonly name: string
  readonly cases: readonly Attack[]
  /** Cases that run beside one another: 1 where they measure the server. */
  readonly atOnce: number
  /** Settings besides those of the tests. */
  readonly env?: Readonly<Record<string, string>>
}

async function failuresOf(target: Target, cases: readonly Attack[], atOnce: number): Promise<string[]> {
  const failures: string[] = []
  const waiting = [...cases]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, expects, run } = next
      const got = await run(target).catch((error: unknown) => String(error))
      if (got !== expects) failures.push(`${name}: expected ${expects}, got ${got}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return failures
}

/** Reads `--engine` and `--only` and ends the process. */
export async function runCases({ name, cases, atOnce, env }: RunOptions): Promise<never> {
  const { values } = parseArgs({
    options: { engine: { type: 'string', default: 'sqlite' }, only: { type: 'string', default: '' } },
  })
  if (!['sqlite', 'postgres'].includes(values.engine)) {
    console.error('--engine must be sqlite or postgres: a process of its own serves it')
    process.exit(2)
  }
  const chosen = cases.filter((each) => each.name.includes(values.only))
  if (chosen.length === 0) {
    console.error(`none of the ${name} is called ${values.only}`)
    process.exit(2)
  }
  const startedMs = performance.now()
  const target = await startTarget(values.engine, env)
  let failures: string[]
  try {
    failures = await failuresOf(target, chosen, atOnce)
  } finally {
    await target.stop()
  }
  const isGood = failures.length === 0
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  console.log(
    `${isGood ? 'pass' : 'FAIL'}  ${name} on ${values.engine}: ${chosen.length}, each with the ruled answer, ${seconds} s`,
  )
  for (const failure of failures) console.log(`      ${failure}`)
  process.exit(isGood ? 0 : 1)
}
