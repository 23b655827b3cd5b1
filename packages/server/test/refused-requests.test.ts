/** Anyone who is refused is told an id, and the log has a line with it. */
import { expect, it } from 'vitest'
import { createApp } from '../src/app.js'
import { createLog } from '../src/runtime/log/log.js'
import { testSettings } from './support/settings.js'
import { sqliteStore } from './support/stores.js'

it('each refused request has its line in the log, without its path; an answered one has none', async () => {
  const lines: Record<string, unknown>[] = []
  const store = await sqliteStore()
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const app = createApp({ store, settings: testSettings(), log })
  const ask = (path: string) => app.http.fetch(new Request(`http://server.test/api${path}`), {})
  expect((await ask('/openapi.json')).status).toBe(200)
  const refused = await ask('/organization/acme-secret-name')
  expect(refused.status).toBe(401)
  const { requestId } = (await refused.json()) as { requestId: string }
  const told = lines.filter(({ message }) => message === 'request refused')
  expect(told).toEqual([
    expect.objectContaining({ level: 'info', status: 401, requestId, route: '/api/organization/:id' }),
  ])
  expect(JSON.stringify(lines)).not.toContain('acme-secret-name')
  await app.close()
  await store.close()
})
