/** Invented histories: the same for a seed, and of every kind of run. */
import { expect, it } from 'vitest'
import { deliveryOf, recordsOf } from '../pages.js'
import { FAKE_FORMATS, fakeDeliveries } from './deliveries.js'
import { fakeHistory } from './history.js'

const given = { seed: 7, days: 90, untilMs: Date.parse('2026-11-23T12:00:00Z') }

it('is the same for the same seed, and another for another', () => {
  expect(fakeHistory(given)).toEqual(fakeHistory({ ...given, untilMs: Date.parse('2026-11-23T23:00:00Z') }))
  expect(fakeHistory(given)).not.toEqual(fakeHistory({ ...given, seed: 8 }))
})

it('has runs that fail, are repaired and cause incidents, all before its end', () => {
  const runs = fakeHistory(given)
  expect(runs.length).toBeGreaterThan(90)
  expect(runs.filter(({ isGood }) => !isGood).length).toBeGreaterThan(5)
  expect(runs.filter(({ ref }) => ref.startsWith('hotfix/')).length).toBeGreaterThan(5)
  expect(runs.filter(({ incident }) => incident !== null).length).toBeGreaterThan(2)
  expect(new Set(runs.map(({ id }) => id)).size).toBe(runs.length)
  for (const { committedMs, fromMs, toMs } of runs) expect([committedMs < fromMs, fromMs < toMs]).toEqual([true, true])
  expect(Math.max(...runs.map(({ incident, toMs }) => incident?.resolvedMs ?? toMs))).toBeLessThan(given.untilMs)
})

it.each([0, 1, 2, 3, 4, 12, 23])('tells at %s o’clock nothing that has not happened yet', (hour) => {
  const untilMs = Date.parse('2026-11-23T00:00:00Z') + hour * 3_600_000 + 60_000
  for (let seed = 1; seed <= 200; seed++) {
    const runs = fakeHistory({ seed, days: 20, untilMs })
    expect(Math.max(...runs.map(({ incident, toMs }) => incident?.resolvedMs ?? toMs))).toBeLessThan(untilMs)
  }
})

it.each(FAKE_FORMATS)('%s comes with doubles and out of order, one line each', (format) => {
  const runs = fakeHistory(given)
  const deliveries = fakeDeliveries(format, runs, { seed: 7, repository: 'acme/shop' })
  const lines = deliveries.map((each) => JSON.stringify(each))
  expect(lines.length).toBeGreaterThan(new Set(lines).size)
  const text = lines.join('\n')
  expect(recordsOf(text).map((each) => deliveryOf(format, each))).toEqual(deliveries)
})

it('reads pages of forges', () => {
  const [run] = recordsOf(
    '{"total_count":1,"workflow_runs":[{"id":1,"run_attempt":1,"repository":{"full_name":"a/b"}}]}',
  )
  expect(deliveryOf('github', run)).toMatchObject({
    event: 'workflow_run',
    payload: { workflow_run: { id: 1 }, repository: { full_name: 'a/b' } },
  })
  const [pipeline] = recordsOf(
    '[{"id":7,"status":"success","web_url":"https://gitlab.com/acme/sub/shop/-/pipelines/7"}]',
  )
  expect(deliveryOf('gitlab', pipeline).payload).toMatchObject({
    object_kind: 'pipeline',
    object_attributes: { id: 7 },
    project: { path_with_namespace: 'acme/sub/shop', web_url: 'https://gitlab.com/acme/sub/shop' },
  })
  expect(() => recordsOf('{"a":1}\nnonsense')).toThrow('2')
})
