/**
 * `plumbline doctor --events` reports what is stale, dropped, restarted and left out, and its exit code says whether to
 * act.
 */
import { expect, it } from 'vitest'
import { doctorAgainst } from './support/doctor-server.js'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString()
const forwarder = {
  client: 'github-forwarder',
  instance: null as string | null,
  forwarded: 17,
  dropped: 0,
  restarts: 0,
  lastDroppedAt: null as string | null,
  lastEventAt: ago(1),
  updatedAt: ago(1),
}
const healthy = {
  status: 'flowing',
  advice: null as string | null,
  forwarded: 17,
  dropped: 0,
  lastEventAt: ago(1),
  updatedAt: ago(1),
  lastReceivedAt: ago(1),
  lag: { p50Seconds: 4, p95Seconds: 9, events: 17 },
  parked: 0,
  skipped: {} as Record<string, number>,
  forwarders: [forwarder],
}

const doctor = doctorAgainst('/api/reports/ingest-health', '--events', { now: NOW })

it.each([
  ['all is well', healthy, 0, ['✔ events', 'half of them within 4 s', '✔ forwarder', '17 events forwarded, 0 dropped']],
  [
    'nothing arrived for a day',
    { ...healthy, status: 'stale', advice: 'check the log of the forwarder', lastReceivedAt: ago(30) },
    2,
    ['✖ events', 'stale: check the log of the forwarder', `the last event arrived at ${ago(30)}`],
  ],
  [
    'a forwarder reports nothing',
    { ...healthy, forwarders: [{ ...forwarder, updatedAt: ago(25) }] },
    2,
    ['✔ events', '✖ forwarder', `stale: reports nothing since ${ago(25)}`],
  ],
  [
    'a forwarder drops events',
    {
      ...healthy,
      status: 'dropping',
      advice: 'check its log',
      forwarders: [{ ...forwarder, dropped: 3, lastDroppedAt: ago(2) }],
    },
    2,
    ['✖ events', 'dropping: check its log', '✖ forwarder', `17 events forwarded, 3 dropped, last noticed at ${ago(2)}`],
  ],
  [
    'a forwarder dropped events long ago',
    { ...healthy, forwarders: [{ ...forwarder, dropped: 3, lastDroppedAt: ago(25) }] },
    0,
    ['✔ events', '• forwarder', `3 dropped, last noticed at ${ago(25)}`],
  ],
  [
    'a history was imported',
    { ...healthy, lag: { p50Seconds: 1_338_378.4, p95Seconds: 2_481_716.5, events: 298 } },
    0,
    ['half of them within 15 days'],
  ],
  [
    'a forwarder was restarted',
    { ...healthy, forwarders: [{ ...forwarder, instance: 'eu', restarts: 2 }] },
    0,
    ['• forwarder', 'github-forwarder (eu)', 'restarted 2 times; its totals go on'],
  ],
  [
    'nothing ever came',
    { ...healthy, status: 'never', advice: 'send one to POST /reports/events', lastReceivedAt: null, forwarders: [] },
    0,
    ['• events', 'never: send one to POST /reports/events'],
  ],
  [
    'events wait, and some were not taken',
    { ...healthy, parked: 5, skipped: { too_old: 2, invalid: 1 } },
    0,
    ['5 wait for their pipeline', 'plumbline reports parked', 'not taken in the last 7 days: too_old 2, invalid 1'],
  ],
])('tells when %s', async (_, health, code, lines) => {
  const told = await doctor(health)
  expect([told.code, told.stderr]).toEqual([code, ''])
  for (const line of lines) expect(told.stdout).toContain(line)
})

it('tells why the server does not answer the question', async () => {
  const refusal = { success: false, statusCode: 403, code: 'INSUFFICIENT_PERMISSIONS', message: 'needs reports:read' }
  const told = await doctor({}, 403, refusal)
  expect([told.code, told.stdout]).toEqual([2, expect.stringMatching(/✖ events +.*needs reports:read/)])
})
