/** Goal: one sign-in serves until shortly before the token's end, and wrong credentials are not tried again and again. */
import { expect, it } from 'vitest'
import { SignInRefused, serviceToken } from './service-token.js'

function source(answers: (count: number) => Response | Error) {
  let nowMs = 1_000_000
  let count = 0
  const token = serviceToken({
    url: 'https://plumbline.test/api',
    clientId: 'plc_x',
    clientSecret: 's3cr3t',
    timeoutMs: 1000,
    clock: { now: () => nowMs },
    fetch: async () => {
      const answer = answers(++count)
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  const wait = (ms: number) => {
    nowMs += ms
  }
  return { token, wait, signIns: () => count }
}
const good = (count: number) =>
  Response.json({ success: true, data: { accessToken: `t${count}`, expiresIn: 300, tokenType: 'Bearer' } })
const refusal = (status: number) => Response.json({ success: false, code: 'UNAUTHORIZED' }, { status })

it('keeps a token until its end is near', async () => {
  const { token, wait, signIns } = source(good)
  expect(await Promise.all([token(), token(), token()])).toEqual(['t1', 't1', 't1'])
  wait(239_000)
  expect([await token(), signIns()]).toEqual(['t1', 1])
  wait(1000)
  expect([await token(), await token(), signIns()]).toEqual(['t2', 't2', 2])
})

it('fetches another for one that was refused, once', async () => {
  const { token, signIns } = source(good)
  const refused = await token()
  expect(await Promise.all([token(refused), token(refused)])).toEqual(['t2', 't2'])
  expect([await token(refused), signIns()]).toEqual(['t2', 2])
})

it('leaves wrong credentials alone for a while, and says what to check', async () => {
  const { token, wait, signIns } = source((count) => (count < 3 ? refusal(401) : good(count)))
  await expect(token()).rejects.toThrow(SignInRefused)
  await expect(token()).rejects.toThrow('PLUMBLINE_SERVICE_CLIENT_ID')
  expect(signIns()).toBe(1)
  wait(5000)
  await expect(token()).rejects.toThrow(SignInRefused)
  wait(5000)
  expect([await token(), signIns()]).toEqual(['t3', 3])
})

it('asks at once again after what may pass', async () => {
  const passing = [
    new TypeError('fetch failed'),
    refusal(503),
    refusal(429),
    Response.json({ success: true, data: {} }),
  ]
  const { token, signIns } = source((count) => passing[count - 1] ?? good(count))
  for (const _ of passing) {
    const error = await token().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(SignInRefused)
  }
  expect([await token(), signIns()]).toEqual(['t5', 5])
})
