/** The requests to providers: which addresses are accepted, and that a key goes only to its provider. */
import { expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import type { Egress } from '../../runtime/egress/egress.js'
import { addressesOf, checkNames, modelsOf, offeredProviders } from './providers.js'
import { fetchOver } from './sdk.js'

it('takes plain http to loopback alone, and names the setting', () => {
  for (const url of [
    'http://127.0.0.1:9000/v1',
    'http://localhost:9000',
    'http://[::1]:9000/v1',
    'https://models.acme.test/v1',
  ]) {
    expect(addressesOf(testSettings({ AI_COMPAT_BASE_URL: url }))['openai-compatible']).toBe(url)
  }
  for (const url of ['http://models.acme.test/v1', 'http://10.0.0.1/v1', 'http://127.0.0.1.evil.test/v1']) {
    expect(() => addressesOf(testSettings({ AI_OPENAI_API_URL: url }))).toThrow('AI_OPENAI_API_URL')
  }
})

it('takes models of the operator in place of the shipped ones, and refuses what is not a list of models', () => {
  const models = modelsOf(testSettings({ AI_MODELS_JSON: '{"openai":[{"id":"m","name":"M"}]}' }))
  expect(models.openai.map(({ id }) => id)).toEqual(['m'])
  expect(models.anthropic.length).toBeGreaterThan(0)
  expect(() => modelsOf(testSettings({ AI_MODELS_JSON: '{"openai":[{"id":"m"}]}' }))).toThrow(
    'AI_MODELS_JSON/openai/0/name',
  )
  expect(() => modelsOf(testSettings({ AI_MODELS_JSON: '{"nobody":[]}' }))).toThrow('AI_MODELS_JSON')
})

it('refuses at the start a model or a fallback that is not there, and offers the fake where it was chosen', () => {
  const check = (environment: Record<string, string>) => {
    const settings = testSettings(environment)
    checkNames(settings, modelsOf(settings))
    return offeredProviders(settings)
  }
  for (const [environment, told] of [
    [{ AI_MODEL: 'gpt-9' }, 'AI_MODEL is not a model of any provider: one of claude-'],
    [{ AI_PROVIDER: 'xai', AI_MODEL: 'gpt-5.5' }, 'AI_MODEL is not a model of xai: one of grok-'],
    [{ AI_FALLBACK: 'openai,opnai' }, 'AI_FALLBACK names `opnai`, which is not a provider: one of anthropic'],
    [{ AI_FALLBACK: 'fake' }, 'AI_FALLBACK names `fake`, which is not a provider'],
    [{ AI_FALLBACK: 'openai:gpt-9' }, 'AI_FALLBACK names `gpt-9`, which is not a model of openai: one of gpt-'],
    [
      { AI_FALLBACK: 'openai-compatible' },
      'AI_FALLBACK names `openai-compatible`, which has no model: set AI_COMPAT_MODEL',
    ],
  ] as const) {
    expect(() => check(environment), told).toThrow(told)
  }
  expect(check({ AI_MODEL: 'gpt-5.5', AI_FALLBACK: 'xai,openai:gpt-5.5' })).not.toContain('fake')
  expect(check({ AI_PROVIDER: 'fake', AI_MODEL: 'fake-1', AI_FALLBACK: 'fake' })).toContain('fake')
})

it('sends a key to the origin of its provider alone', async () => {
  const asked: string[] = []
  const egress = {
    async fetch(target) {
      asked.push(target.url)
      return new Response('{}')
    },
  } as Partial<Egress> as Egress
  const send = fetchOver({ egress, settings: testSettings() }, 'https://api.acme.test/v1')
  await send('https://api.acme.test/v1/chat', { method: 'POST', headers: { 'x-api-key': 'k' }, body: '{}' })
  await expect(send('https://elsewhere.test/v1/chat', { method: 'POST', body: '{}' })).rejects.toThrow('another host')
  expect(asked).toEqual(['https://api.acme.test/v1/chat'])
})
