/** The builder as a program: what it reads of Dockerfiles, hides in logs, and says of failures; and a build for real, where it can be. */
import { describe, expect, it } from 'vitest'
import { BaseRefused, basesOf, fetchBases, registryOf } from './bases.js'
import { formsOf } from './report.js'
import { failureOf } from './run.js'

describe('base images', () => {
  it('are those that a Dockerfile names, without its stages', () => {
    const text = [
      'ARG TAG=12',
      'FROM --platform=linux/amd64 debian:$TAG AS base',
      'FROM base',
      'COPY --from=registry.example/tools:1 /x /x',
      'COPY --from=0 /y /y',
      'RUN --mount=type=bind,from=ghcr.io/a/b,source=/ ls',
      'FROM scratch',
    ].join('\n')
    expect(basesOf(text, {})).toEqual(['debian:12', 'registry.example/tools:1', 'ghcr.io/a/b'])
    expect(basesOf(text, { TAG: '13' })[0]).toBe('debian:13')
    expect(['debian', 'a/b', 'ghcr.io/a', 'localhost/x', 'h:5000/x'].map(registryOf)).toEqual([
      'docker.io',
      'docker.io',
      'ghcr.io',
      'localhost',
      'h:5000',
    ])
  })

  it('come from the registries that are allowed alone', async () => {
    const options = { layout: '/nowhere', allowed: ['ghcr.io'], signal: AbortSignal.timeout(1000) }
    for (const name of ['debian:12', '127.0.0.1:5000/x', '--help', 'ghcr.io/$(x)']) {
      await expect(fetchBases([name], options), name).rejects.toThrow(BaseRefused)
    }
  })
})

it('hides a value in the forms that a build prints by accident', () => {
  const value = 's3cret-Value/with+signs'
  const forms = formsOf(value)
  for (const before of ['', 'a', 'ab']) {
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      const printed = Buffer.from(`${before}${value}tail`).toString(encoding)
      expect([encoding, before, forms.some((form) => printed.includes(form))]).toEqual([encoding, before, true])
    }
  }
  expect(forms).toContain(encodeURIComponent(value))
})

it('tells a failure of the plugin from one that may pass', () => {
  const of = (tail: string, code = 1) => {
    const { category, isPermanent } = failureOf(code, `STEP 1/2\n${tail}`, { diskMb: 10 })
    return [category, isPermanent]
  }
  expect(of('write /w/x: No space left on device')).toEqual(['quota', true])
  expect(of('Error: dockerfile parse error on line 3: unknown instruction: FOO')).toEqual(['validation', true])
  expect(of('Error: error building: exit status 7')).toEqual(['docker-build', false])
  expect(of('', 91)).toEqual(['docker-build', true])
  expect(() => failureOf(1, 'bwrap: setting up uid map: Permission denied', { diskMb: 1 })).toThrow('sandbox')
})
