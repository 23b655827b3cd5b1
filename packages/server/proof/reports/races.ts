/** Three processes make sums while events come over several connections: no mark is lost, so that sums say what facts say. PostgreSQL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bundle } from '../bundle.js'
import { type Api, differences } from './check.js'
import type { OracleEvent, OracleWorld } from './oracle.js'

const PROCESSES = 3
const CONNECTIONS = 4

export interface Racing {
  readonly url: string
  readonly orgId: string
  readonly fromMs: number
  readonly toMs: number
  /** What the processes left. */
  rollUp(): Promise<void>
}

/** @returns what differs, and how many marks the processes took while events came. */
export async function raced(
  api: Api,
  world: OracleWorld,
  { url, orgId, fromMs, toMs, rollUp }: Racing,
): Promise<{ found: string[]; taken: number }> {
  const built = await bundle('proof/reports/race-worker.ts')
  try {
    const workers = Array.from({ length: PROCESSES }, () =>
      spawn(process.execPath, [built.file, url, orgId], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    await Promise.all(workers.map(({ stdout }) => once(stdout, 'data')))
    const queue: OracleEvent[] = [...world.events]
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let event = queue.shift(); event !== undefined; event = queue.shift())
          await api.send('/reports/events', { events: [{ eventSource: 'generic', ...event }] })
      }),
    )
    let taken = 0
    for (const { stdin, stdout } of workers) {
      stdin.end()
      const [told] = await once(stdout, 'data')
      taken += Number(String(told))
    }
    await rollUp()
    const only = { ...world, incidents: [], marks: [], links: [] }
    return { found: await differences(api, only, fromMs, toMs), taken }
  } finally {
    built.clean()
  }
}
