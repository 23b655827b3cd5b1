/**
 * `npm run proof -- egress`: webhooks pointed at every closed range, in every notation, by names that lie, change their mind
 * and redirect. It runs in a network namespace of its own in which every address leads to a canary; nothing leaves the
 * machine. The same cases through senders with a known fault must hit canaries.
 */
import { spawnSync } from 'node:child_process'
import { createEgress } from '../../src/runtime/egress/egress.js'
import { dnsResolver } from '../../src/runtime/egress/resolve.js'
import { readTarget } from '../../src/runtime/egress/target.js'
import { nameServer } from './dns.js'
import { withoutVetting, withRedirects, withSecondLookUp } from './planted.js'
import { runCases, type Send } from './run.js'

const INSIDE = 'PLUMBLINE_EGRESS_NAMESPACE'
const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? otherwise : Number(process.argv[at + 1])
}

const WHOLE_INTERNET_IS_HERE = [
  'ip link set lo up',
  'ip route add local 0.0.0.0/0 dev lo',
  'ip -6 route add local ::/0 dev lo',
].join(' && ')

/** The same program in a namespace without a way out. */
function enter(): number {
  const possible = spawnSync('unshare', ['-rn', 'sh', '-c', WHOLE_INTERNET_IS_HERE], { encoding: 'utf8' })
  if (possible.status !== 0) {
    const reason = possible.error?.message ?? possible.stderr.trim()
    console.error(`not run: no network namespace can be made here (${reason}); it needs Linux with unshare and ip`)
    return 3
  }
  const self = [...process.execArgv, ...process.argv.slice(1)]
  const quoted = [process.execPath, ...self].map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawnSync('unshare', ['-rn', 'sh', '-c', `${WHOLE_INTERNET_IS_HERE} && exec ${quoted}`], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  })
  return child.status ?? 1
}

async function prove(): Promise<number> {
  const [cases, seed] = [option('cases', 5000), option('seed', 1)]
  const names = await nameServer(5353)
  const resolve = dnsResolver([names.address])
  const egress = createEgress({ resolve })
  const send: Send = async (url, headers, timeoutMs) => {
    const target = readTarget(url, [])
    // The certificate is not what is proven here: a connection is a hit before any.
    if (typeof target !== 'string') await egress.post({ ...target, isTls: false }, { headers, body: '{}', timeoutMs })
  }
  const fetching: Send = async (url, headers, timeoutMs) => {
    const target = readTarget(url, [])
    if (typeof target === 'string') return
    const init = { method: 'GET', headers } as const
    const limits = { bytesMax: 65_536, timeoutMs }
    await egress.fetch({ ...target, isTls: false }, init, limits).then(
      (answer) => answer.text().catch(() => undefined),
      () => undefined,
    )
  }
  const planted = Math.max(200, Math.floor(cases / 5))
  const report = {
    seed,
    sender: await runCases(send, names, { cases, seed }),
    fetch: await runCases(fetching, names, { cases, seed: seed + 4 }),
    'vetting removed': await runCases(withoutVetting(resolve), names, { cases: planted, seed: seed + 1 }),
    'a second look-up': await runCases(withSecondLookUp(resolve), names, {
      cases: planted,
      seed: seed + 2,
      kinds: ['rebinding'],
    }),
    'redirects followed': await runCases(withRedirects(resolve), names, {
      cases: planted,
      seed: seed + 3,
      kinds: ['redirect'],
    }),
  }
  names.close()
  console.log(JSON.stringify(report, null, 2))
  const problems: string[] = []
  const hitsOf = (run: { hits: Readonly<Record<string, number>> }) => Object.values(run.hits).reduce((a, b) => a + b, 0)
  if (hitsOf(report.sender) > 0) problems.push(`${hitsOf(report.sender)} canaries were hit`)
  if (report.sender.reached === 0) problems.push('no public address was reached: the sender sends nothing')
  if (hitsOf(report.fetch) > 0) problems.push(`${hitsOf(report.fetch)} canaries were hit by fetch`)
  if (report.fetch.reached === 0) problems.push('no public address was fetched from')
  for (const kind of ['literal', 'name', 'mixed', 'rebinding']) {
    if ((report['vetting removed'].hits[kind] ?? 0) === 0) problems.push(`without vetting no ${kind} hit a canary`)
  }
  if (hitsOf(report['a second look-up']) === 0) problems.push('a second look-up hit no canary')
  if (hitsOf(report['redirects followed']) === 0) problems.push('followed redirects hit no canary')
  for (const problem of problems) console.error(problem)
  return problems.length === 0 ? 0 : 1
}

process.exitCode = process.env[INSIDE] === '1' ? await prove() : enter()
