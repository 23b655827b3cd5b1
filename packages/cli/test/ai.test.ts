/** `plumbline ai generate`: what it tells of a draft, and each difference from the earlier version at its path. */
import { expect, it } from 'vitest'
import { differences, linesOf, type Result, verdictLines } from '../src/records/draft/generate.js'

it('shows each place that differs, with both values, and nothing else', () => {
  const before = { a: 1, list: ['x', 'y'], same: { deep: true }, gone: 'g' }
  const after = { a: 2, list: ['x', 'z', 'w'], same: { deep: true }, added: { b: null } }
  expect(
    differences(before, after)
      .split('\n')
      .filter((line) => line !== ''),
  ).toEqual([
    '- /a 1',
    '+ /a 2',
    '- /list/1 "y"',
    '+ /list/1 "z"',
    '+ /list/2 "w"',
    '- /gone "g"',
    '+ /added {"b":null}',
  ])
  expect(differences(before, before)).toBe('')
})

it('tells what a person should know before the draft is saved', () => {
  const result: Result = {
    generationId: 'g',
    body: { project: 'shop', name: 'lint', version: '1.0.0' },
    action: 'update',
    quota: { available: false, message: 'the account has 5 of 5 pipelines' },
    compliance: {
      blocked: false,
      violations: [{ severity: 'warning', ruleName: 'a-team', message: 'name a team' }],
      deferredRules: [{ ruleName: 'no-root' }],
    },
    suspicious: [{ path: '/synth/source', message: 'builds another repository' }],
    copied: [{ path: '/dockerfile', file: 'Dockerfile', licence: 'GPL-3.0' }],
    servedBy: { provider: 'fake', model: 'fake-1' },
    rounds: 1,
    usage: { totalTokens: 3 },
  }
  expect(verdictLines('pipeline', result)).toEqual([
    'verdict: warned (1 answer of fake fake-1, 3 tokens)',
    '  warning a-team: name a team',
    '  after the build, no-root checks the image',
    'look at /synth/source: it builds another repository',
    'look at /dockerfile: it copies Dockerfile, licence GPL-3.0',
    'a pipeline of the project shop exists: saving the draft replaces it',
    'it cannot be saved now: the account has 5 of 5 pipelines',
  ])
  expect(verdictLines('plugin', result)).toContain('lint 1.0.0 exists: choose another version to save the draft')
  const fine = { ...result, action: 'create', quota: null, copied: [], suspicious: [] } as const
  expect(verdictLines('pipeline', fine)).toHaveLength(3)
})

it('names what was found in a repository once, also where two lists name it', () => {
  const found = { projectType: 'node', ref: 'main', packageManager: 'npm', licence: null, isCut: false }
  const data = { ...found, languages: ['TypeScript'], frameworks: ['Fastify'], tools: ['TypeScript'] }
  expect(linesOf('analyzed', data)).toEqual([
    'found a node project at main; TypeScript, Fastify; built with npm; licence not named',
  ])
})
