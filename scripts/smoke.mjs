/**
 * The first steps of the README, as run by CI: `npm start` on an empty data directory, a call with the printed token, a
 * second start that prints no token, and a clean exit after SIGTERM.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startDemo, statusOf, stopAll } from './demo-server.mjs'
import { buildIfStale, installIfNeeded } from './workspace.mjs'

await installIfNeeded()
await buildIfStale()
const data = mkdtempSync(join(tmpdir(), 'plumbline-smoke-'))
try {
  const port = await freePort()
  const first = await startDemo({ port, data, printed: /plp_/ })
  const [call, address, token] = /curl -s (\S+) -H "Authorization: Bearer (plp_[\w-]+)"/.exec(first.printed()) ?? []
  assert.ok(call, `npm start printed no call:\n${first.printed()}`)
  const { data: me } = await json(address, token)
  assert.equal(me.user.username, 'demo-owner')
  const { data: list } = await json(`http://127.0.0.1:${port}/api/organization/${me.organization.id}/members`, token)
  assert.deepEqual(list.members.map(({ username }) => username).sort(), ['demo-admin', 'demo-member', 'demo-owner'])
  const docs = await fetch(/(?<!\S)\S+\/docs\b/.exec(first.printed())?.[0] ?? '')
  assert.equal(docs.status, 200)
  const link = /(?<!\S)\S+\/console\/link#\S+/.exec(first.printed())?.[0] ?? ''
  const page = await (await fetch(link)).text()
  const script = / src="([^"]+\.js)"/.exec(page)?.[1] ?? assert.fail(`no console at ${link}`)
  assert.equal(await statusOf(new URL(script, link)), 200, 'the console that the link opens has its script')
  assert.equal(await statusOf(address), 401, 'a call without the token is refused')
  await first.stop()

  const second = await startDemo({ port, data })
  assert.equal((await json(address, token)).data.user.username, 'demo-owner')
  await second.stop()
  assert.doesNotMatch(second.printed(), /plp_/, 'a second start shows no token')
  console.log(
    'npm start: ready, the printed call answered, stopped with exit code 0; the second start printed no secret',
  )
} finally {
  stopAll()
  rmSync(data, { recursive: true, force: true })
}

async function json(address, token) {
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200, `${address} answered ${response.status}`)
  return response.json()
}
