import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { asStored, readEntities } from './entities.js'
import { libraryRates, ruleRates } from './rates.js'

const ordinary = {
  plugin: [
    asStored('plugin', { name: 'unit-tests', version: '1.0.0', commands: ['npm test'], dockerfile: 'FROM x:1\n' }),
  ],
  pipeline: [
    asStored('pipeline', {
      project: 'shop',
      organization: 'Example',
      props: {
        synth: { source: { type: 'github', options: { repo: 'example/shop' } }, plugin: { name: 'synth' } },
        stages: [{ stageName: 'Build', steps: [{ plugin: { name: 'node-build' } }] }],
      },
    }),
  ],
}

test('what was sent with required fields only is blocked by no library, nor by a framework alone', () => {
  for (const { name, plugin, pipeline } of libraryRates(ordinary)) {
    expect([plugin.blocked, pipeline.blocked], name).toEqual([0, 0])
  }
  const blocking = ruleRates(ordinary).filter(({ severity }) => severity !== 'warning')
  expect(blocking).toEqual([])
})

test('of the samples, some pass, some are warned about and some are blocked', () => {
  const samples = readEntities(fileURLToPath(new URL('../../../samples', import.meta.url)))
  const rates = libraryRates(samples)
  for (const { name, plugin, pipeline } of rates) {
    expect(plugin.blocked, name).toBeLessThan(plugin.entities)
    expect(pipeline.blocked, name).toBeLessThan(pipeline.entities)
    expect(plugin.blocked, name).toBeGreaterThan(0)
    expect(plugin.passed + plugin.warned + plugin.blocked, name).toBe(plugin.entities)
  }
})
