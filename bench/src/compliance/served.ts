/** A whole server on an empty folder, started for one table. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Request, Target } from '../http-load.js'

export interface Served {
  readonly target: Target
  readonly port: number
  readonly orgId: string
  readonly headers: Readonly<Record<string, string>>
  /** One request by the benchmark itself. @throws unless it succeeds. */
  call<T>(method: string, path: string, body?: object): Promise<T>
  post(path: string, body: object): Request
}

export interface Counts {
  readonly rss: number
  readonly cpu: { readonly user: number; readonly system: number }
}

/** Seconds of processor time, including helper threads. */
export const cpuSeconds = ({ cpu }: Counts): number => (cpu.user + cpu.system) / 1e6

export async function withServer<T>(
  script: string,
  run: (served: Served) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const target = new Target(script, ['server', folder], flags)
  try {
    const { port, accessToken, orgId } = await target.next<{ port: number; accessToken: string; orgId: string }>()
    const headers = { authorization: `Bearer ${accessToken}` }
    const call = async <R>(method: string, path: string, body?: object): Promise<R> => {
      const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as { data: R }
      if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
      return answer.data
    }
    const post = (path: string, body: object): Request => ({
      method: 'POST',
      path: `/api${path}`,
      headers,
      body: JSON.stringify(body),
    })
    return await run({ target, port, orgId, headers, call, post })
  } finally {
    target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A record as rules see it, about 700 bytes of JSON. */
export const ATTRIBUTES = {
  project: 'shop',
  organization: 'acme',
  pipelineName: 'shop',
  description: 'Builds and deploys the shop',
  keywords: ['shop', 'even'],
  accessModifier: 'private',
  ownerId: 'team-shop',
  lifecycle: 'production',
  labels: { team: 'shop', tier: 'gold' },
  props: {
    synth: {
      source: { type: 'github', options: { repo: 'acme/shop', branch: 'main' } },
      plugin: { name: 'node-build', version: '1.0.0' },
    },
    stages: [{ stageName: 'Build', steps: [{ plugin: { name: 'node-build', version: '1.0.0' } }] }],
  },
  stages: [{ stageName: 'Build', steps: [{ plugin: { name: 'node-build', version: '1.0.0' } }] }],
}
