/**
 * The log of a build on its way to the server: nothing is lost while the server is away, and no output of a build stops
 * it.
 */
import { afterEach, expect, it, vi } from 'vitest'
import { SignInRefused } from '../../runtime/http/service-token.js'
import { type BuilderApi, type ClaimedJob, NotHeld, ServerAway } from './api.js'
import { type ReportOptions, reportOf } from './report.js'

/** A server that keeps pieces as the real one does, and refuses what the real one refuses. */
function fakeServer(losesAnswers = true) {
  let text = ''
  let answers = 0
  let largest = 0
  const api = {
    heartbeat: async () => false,
    async log(_job: ClaimedJob, from: number, piece: string) {
      if (piece.includes('\0')) throw new Error('400: must not contain a NUL character')
      largest = Math.max(largest, piece.length)
      const bytes = Buffer.from(piece)
      const known = Buffer.byteLength(text) - from
      if (known < bytes.length) text += bytes.subarray(known).toString()
      // Every other answer is lost.
      if (losesAnswers && answers++ % 2 === 0) throw new Error('fetch failed')
    },
  } as unknown as BuilderApi
  return { api, text: () => text, largest: () => largest }
}

const JOB = { id: 'j' } as ClaimedJob
const options = (more: Partial<ReportOptions> = {}): ReportOptions => ({
  ...{ secrets: [], signal: new AbortController().signal, onStop: () => undefined },
  ...more,
})

async function closed(report: { close(): Promise<void> }): Promise<void> {
  await report.close().catch(() => closed(report))
}

afterEach(() => void vi.useRealTimers())

it('of a build that prints fast is sent in several small pieces at a time', async () => {
  vi.useFakeTimers()
  const { api, text, largest } = fakeServer(false)
  const report = reportOf(api, JOB, options())
  report.write('a line of the log\n'.repeat(10_000))
  await vi.advanceTimersByTimeAsync(1000)
  expect([text().length > 140_000, largest() <= 32_768]).toEqual([true, true])
  await report.close()
  expect(text().length).toBe(180_000)
})

it('is sent again when an answer was lost, each character once', async () => {
  const { api, text } = fakeServer()
  const report = reportOf(api, JOB, options())
  const lines = Array.from({ length: 5000 }, (_, n) => `línea ${n} €\n`).join('')
  report.write(lines)
  await closed(report)
  expect(text()).toBe(lines)
  expect(report.tail.endsWith('línea 4999 €\n')).toBe(true)
})

it('goes on whatever a step prints, and hides a value that it prints in parts', async () => {
  const { api, text } = fakeServer()
  const report = reportOf(api, JOB, options({ secrets: [{ value: 'S3cretS3cret' }] }))
  report.write('before\n\0\0S3cret\0S3cret\0\nafter\n')
  await closed(report)
  expect([text(), report.tail]).toEqual(Array(2).fill('before\n[hidden]\nafter\n'))
})

it('ends the build when the server took no report for longer than a lease', async () => {
  vi.useFakeTimers()
  const stopped: Error[] = []
  let isAway = false
  const { api } = fakeServer(false)
  const heartbeat = async () => {
    if (isAway) throw new ServerAway('the server at http://x/api cannot be reached: connect ECONNREFUSED')
    return false
  }
  const report = reportOf({ ...api, heartbeat }, JOB, options({ onStop: (reason) => stopped.push(reason) }))
  await vi.advanceTimersByTimeAsync(200_000)
  isAway = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stopped).toEqual([])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stopped[0]).toBeInstanceOf(NotHeld)
  expect(stopped[0]?.message).toContain('took no report for 90 s: the server at http://x/api cannot be reached')
  await report.close()
})

it('ends the build when the server refuses the credential, and not when a proxy does', async () => {
  vi.useFakeTimers()
  const stopped: Error[] = []
  const { api } = fakeServer(false)
  let code = ''
  const heartbeat = async () => {
    throw new SignInRefused(401, code, { url: 'http://x/api', scope: 'builds:work' } as never)
  }
  const report = reportOf({ ...api, heartbeat }, JOB, options({ onStop: (reason) => stopped.push(reason) }))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stopped).toEqual([])
  code = 'UNAUTHORIZED'
  await vi.advanceTimersByTimeAsync(5000)
  expect(stopped[0]).toBeInstanceOf(NotHeld)
  expect(stopped[0]?.message).toMatch(
    /^the build was given up: the server refused the client credentials \(401 UNAUTHORIZED\): check .* scope builds:work$/,
  )
  await report.close()
})

it('is sent to its end by a server that is away for a moment, and not once the builder stops', async () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  let sent = 0
  const log = async () => {
    sent += 1
    if (sent < 4) throw new ServerAway('503')
  }
  const { api } = fakeServer(false)
  const report = reportOf({ ...api, log }, JOB, options({ signal: stop.signal }))
  report.write('a line\n')
  const closing = report.close()
  await vi.advanceTimersByTimeAsync(10_000)
  await closing
  expect(sent).toBe(4)
  sent = -1000
  const other = reportOf({ ...api, log }, JOB, options({ signal: stop.signal }))
  other.write('a line\n')
  stop.abort()
  await expect(other.close()).rejects.toThrow(ServerAway)
})
