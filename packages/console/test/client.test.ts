import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { send, stepUp } from '../src/data/client.js'

const change = (name: string) => new Request(`http://console/api/${name}`, { method: 'DELETE' })

/** Answers 401 without a token, and otherwise with the token. */
async function answer(request: Request): Promise<Response> {
  const token = request.headers.get('x-step-up-token')
  if (token !== null) return new Response(`${new URL(request.url).pathname} ${token}`)
  return Response.json({ code: 'STEP_UP_REQUIRED' }, { status: 401 })
}

beforeEach(() => {
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('fetch', answer)
})
afterEach(() => vi.unstubAllGlobals())

const nextQuestion = async (before = 0) => {
  await vi.waitFor(() => expect(stepUp.get()?.id ?? 0).toBeGreaterThan(before))
  return stepUp.get() as NonNullable<ReturnType<typeof stepUp.get>>
}

describe('two changes that need a confirmation at once', () => {
  it('are asked for one after another, and both end', async () => {
    const both = Promise.all([send(change('a')), send(change('b'))])
    const first = await nextQuestion()
    first.answer('one')
    const second = await nextQuestion(first.id)
    second.answer('two')
    const texts = await Promise.all((await both).map((response) => response.text()))
    expect(texts).toEqual(['/api/a one', '/api/b two'])
    expect(stepUp.get()).toBeNull()
  })

  it('are independent: without a confirmation, only its own change is refused', async () => {
    const both = Promise.all([send(change('a')), send(change('b'))])
    const first = await nextQuestion()
    first.answer(null)
    const second = await nextQuestion(first.id)
    second.answer('two')
    expect((await both).map(({ status }) => status)).toEqual([401, 200])
  })
})
