/**
 * The log of a build on its way to the server: nothing is lost while the server is away, and no output of a build stops
 * it.
 */
import { afterEach, expect, it, vi } from 'vitest'
import type { BuilderApi, ClaimedJob } from './api.js'
import { reportOf } from './report.js'

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

async function closed(report: { close(): Promise<void> }): Promise<void> {
  await report.close().catch(() => closed(report))
}

afterEach(() => void vi.useRealTimers())

it('of a build that prints fast is sent in several small pieces at a time', async () => {
  vi.useFakeTimers()
  const { api, text, largest } = fakeServer(false)
  const report = reportOf(api, JOB, [], () => undefined)
  report.write('a line of the log\n'.repeat(10_000))
  await vi.advanceTimersByTimeAsync(1000)
  expect([text().length > 140_000, largest() <= 32_768]).toEqual([true, true])
  await report.close()
  expect(text().length).toBe(180_000)
})

it('is sent again when an answer was lost, each character once', async () => {
  const { api, text } = fakeServer()
  const report = reportOf(api, JOB, [], () => undefined)
  const lines = Array.from({ length: 5000 }, (_, n) => `línea ${n} €\n`).join('')
  report.write(lines)
  await closed(report)
  expect(text()).toBe(lines)
  expect(report.tail.endsWith('línea 4999 €\n')).toBe(true)
})

it('goes on whatever a step prints, and hides a value that it prints in parts', async () => {
  const { api, text } = fakeServer()
  const report = reportOf(api, JOB, [{ value: 'S3cretS3cret' }], () => undefined)
  report.write('before\n\0\0S3cret\0S3cret\0\nafter\n')
  await closed(report)
  expect([text(), report.tail]).toEqual(Array(2).fill('before\n[hidden]\nafter\n'))
})
