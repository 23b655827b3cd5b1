/**
 * Every provider by its own package and wire format, against the fake: good answers, twenty bad ones, and keys that do
 * not leak.
 */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { createEgress } from '../../runtime/egress/egress.js'
import { PipelineDraft } from '../draft/pipeline.js'
import { readDraft } from '../draft/read.js'
import { type FakeAi, MISBEHAVIOURS, type Misbehaviour, startFakeAi } from '../fake/server.js'
import { ModelFailed, type Piece, type Question } from './model.js'
import type { ProviderId } from './providers.js'
import { openSdkModel } from './sdk.js'

const WIRES: readonly [ProviderId, string, string][] = [
  ['anthropic', 'AI_ANTHROPIC_API_URL', 'claude-sonnet-5-5'],
  ['openai', 'AI_OPENAI_API_URL', 'gpt-6-sol'],
  ['google', 'AI_GOOGLE_API_URL', 'gemini-3.8-flash'],
  ['xai', 'AI_XAI_API_URL', 'grok-4.7'],
  ['amazon-bedrock', 'AI_AMAZON_BEDROCK_API_URL', 'anthropic.claude-sonnet-5-5'],
  ['openai-compatible', 'AI_COMPAT_BASE_URL', 'own'],
]
/** Environment variables in which packages look for keys by default. */
const CANARIES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'OPENAI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'XAI_API_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
]

describe('the wires of providers', () => {
  beforeAll(() => {
    const before = CANARIES.map((name) => [name, process.env[name]] as const)
    for (const name of CANARIES) process.env[name] = `canary-of-${name}`
    return () => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  })
  let fake: FakeAi | undefined
  afterEach(() => fake?.close())

  const question = (isStreamed: boolean, signal: AbortSignal): Question => ({
    instructions: 'The object is a pipeline',
    turns: [{ role: 'user', text: 'node service canary-of-prompt' }],
    schema: PipelineDraft,
    schemaName: 'pipeline',
    outputTokensMax: 1000,
    isStreamed,
    signal,
  })

  async function ask(
    [provider, setting, model]: (typeof WIRES)[number],
    isStreamed: boolean,
    kind: Misbehaviour | 'good',
    ms = 60_000,
  ) {
    fake = await startFakeAi({ misbehave: [kind], waitMs: 5 })
    const settings = testSettings({ [setting]: `http://127.0.0.1:${fake.port}/v1`, AI_TOTAL_MS: String(ms) })
    const key = provider === 'amazon-bedrock' ? 'AKIDGIVEN:given-secret' : 'given-key'
    const open = await openSdkModel({ provider, model, key, settings, egress: createEgress() })
    const pieces: Piece[] = []
    // Who is silent is left once it was asked, however long a busy machine takes until then.
    const isAsked = kind === 'silent' ? vi.waitUntil(() => fake?.requests.length === 1, { timeout: 60_000 }) : null
    const gone = new AbortController()
    void isAsked?.then(() => gone.abort(new DOMException('late', 'TimeoutError')))
    const signal = kind === 'silent' ? gone.signal : AbortSignal.timeout(ms)
    for await (const piece of open.ask(question(isStreamed, signal))) pieces.push(piece)
    return {
      text: pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''),
      end: pieces.at(-1),
      pieces,
    }
  }

  describe.each(WIRES)('%s', (...wire) => {
    it.each([true, false])('answers with a draft and its usage, streamed: %s', async (isStreamed) => {
      const { text, end, pieces } = await ask(wire, isStreamed, 'good')
      expect(readDraft(PipelineDraft, text)).toHaveProperty('draft')
      expect(end).toMatchObject({
        kind: 'end',
        usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
      })
      if (isStreamed) expect(pieces.length).toBeGreaterThan(3)
      const [sent] = fake?.requests ?? []
      expect(JSON.stringify(fake?.requests)).not.toContain('canary-of-A')
      for (const name of CANARIES) expect(JSON.stringify(fake?.requests)).not.toContain(`canary-of-${name}`)
      expect(fake?.requests.length).toBe(1)
      expect(JSON.stringify(sent?.headers)).toMatch(/given-key|AKIDGIVEN/)
    })

    it('fails with a reason, asks once, and its error holds nothing that was sent', async () => {
      const failing: readonly Misbehaviour[] = [
        'refused',
        '500',
        '429',
        '401',
        'html',
        'redirect',
        'line-cut',
        'silent',
      ]
      for (const [n, kind] of failing.entries()) {
        const error = await ask(wire, n % 2 === 0, kind).catch((thrown: unknown) => thrown)
        const isOver = error instanceof ModelFailed || (error as Error)?.name === 'TimeoutError'
        expect(isOver, `${wire[0]} ${kind}: ${String(error)}`).toBe(true)
        expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/canary|given-key|given-secret/)
        if (kind === '401') expect(error).toMatchObject({ code: 'AI_KEY_REJECTED', mayFallBack: false })
        if (kind === '500' || kind === '429') expect(error).toMatchObject({ mayFallBack: true, mayCost: false })
        expect(fake?.requests.length, kind).toBe(1)
        await fake?.close()
      }
    })
  })

  it('has twenty ways to misbehave', () => {
    expect(new Set(MISBEHAVIOURS).size).toBe(20)
  })
})
