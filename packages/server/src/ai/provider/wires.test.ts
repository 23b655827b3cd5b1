/** The way to providers: which addresses are taken, and that a key goes to its provider alone. */
import { expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import type { Egress } from '../../runtime/egress/egress.js'
import { addressesOf, modelsOf } from './providers.js'
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
