/** `plumbline doctor --builders` says whether a builder works and why others do not, and its exit code whether to act. */
import { expect, it } from 'vitest'
import { doctorAgainst } from './support/doctor-server.js'

const AT = '2026-03-01T12:00:00.000Z'
const working = { name: 'b1@m1', state: 'working', lastSeenAt: AT, building: [{ jobId: 'j' }], fault: null }
const fault = { reason: 'disk-full', message: 'free space in /var/tmp', at: AT }
const faulty = { ...working, name: 'b2@m1', state: 'faulty', building: [], fault }
const gone = { ...faulty, name: 'b3@m1', state: 'gone', fault: null }
const status = { waiting: 0, oldestWaitingSeconds: 0, builders: [working] as unknown[] }

const doctor = doctorAgainst('/api/plugins/queue/status', '--builders')

const FAULT = `✖ builder        b2@m1: faulty, seen at ${AT}; since ${AT} disk-full: free space in /var/tmp`
const NAMELESS = { name: null, building: null, fault: { ...fault, message: null } }

it.each<[string, object, number, string[]]>([
  [
    'one works',
    status,
    0,
    ['✔ builders       1 builder working; no build waits', '✔ builder        b1@m1: working, 1 build'],
  ],
  ['one of two has a fault', { ...status, builders: [working, faulty] }, 2, ['✔ builders', FAULT]],
  ['one of two is gone', { ...status, builders: [working, gone] }, 0, ['• builder        b3@m1: gone, seen at']],
  [
    'none works',
    { waiting: 2, oldestWaitingSeconds: 90, builders: [{ ...faulty, ...NAMELESS }, gone] },
    2,
    [
      '✖ builders       no builder works; 2 builds waiting, one for 90 s',
      `✖ builder        a builder: faulty, seen at ${AT}; since ${AT} disk-full\n`,
      '✖ builder        b3@m1: gone',
    ],
  ],
  ['none was ever seen', { ...status, builders: [] }, 0, ['• builders       no builder was seen in the last day; no']],
  [
    'none was ever seen and builds wait',
    { ...status, builders: [], waiting: 1, oldestWaitingSeconds: 5 },
    2,
    ['✖ builders       no builder was seen in the last day; 1 build waiting, one for 5 s: run `plumbline builder`'],
  ],
])('says when %s', async (_, data, code, lines) => {
  const done = await doctor(data)
  for (const line of lines) expect(done.stdout).toContain(line)
  expect(done.code).toBe(code)
})

it('says why the server refuses', async () => {
  const done = await doctor({}, 403, {
    ...{ success: false, statusCode: 403, code: 'INSUFFICIENT_PERMISSIONS', message: 'plugins:publish is required' },
  })
  expect(done.stdout).toContain('✖ builders       plugins:publish is required')
  expect(done.code).toBe(2)
})
