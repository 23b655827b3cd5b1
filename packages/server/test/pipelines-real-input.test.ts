/** Pipelines that other people wrote, and the samples that ship, go through creation, listing, update and deletion over HTTP. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { pipelineApp } from './support/pipelines.js'
import { type IdentityApp, type SignedIn, signUp } from './support/sign-in.js'
import { sqliteStore } from './support/stores.js'

type Pipeline = Record<string, unknown> & { readonly project: string }

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const DATA = here('../../../../shared/data/pipelines.json')
const SAMPLES = here('../../../samples/pipelines')

/** A sample says its kind, for the command line. */
function sampleOf(file: string): Pipeline {
  const { kind, ...pipeline } = parse(readFileSync(join(SAMPLES, file), 'utf8')) as Pipeline
  expect(kind).toBe('Pipeline')
  return pipeline
}
const files = readdirSync(SAMPLES).sort()
const isRefused = (file: string) => file.startsWith('refused-')
const real = existsSync(DATA) ? (JSON.parse(readFileSync(DATA, 'utf8')) as Pipeline[]) : []

let app: IdentityApp
let ann: SignedIn
beforeAll(async () => {
  ;({ app } = await pipelineApp(await sqliteStore()))
  ann = await signUp(app, 'ann')
})
afterAll(() => app.runtime.store.close())

/** @returns what was refused, with every problem. */
async function goThrough(pipelines: readonly Pipeline[]): Promise<string[]> {
  const refused: string[] = []
  for (const pipeline of pipelines) {
    const made = await app.call('POST', '/pipelines', { as: ann, body: pipeline })
    if (made.status >= 300) {
      const issues = (made.body.details?.issues ?? []) as { path: string; code: string }[]
      refused.push(`${pipeline.project}: ${issues.map(({ path, code }) => `${path} ${code}`).join(', ') || made.code}`)
      continue
    }
    const { id } = made.data.pipeline
    const listed = await app.call('GET', `/pipelines?project=${encodeURIComponent(pipeline.project)}`, { as: ann })
    expect(listed.data.pipelines.map((each: { id: string }) => each.id)).toContain(id)
    const shown = await app.call('GET', `/pipelines/${id}`, { as: ann })
    expect(shown.data.pipeline.props).toMatchObject(pipeline['props'] as object)
    const changed = await app.call('PUT', `/pipelines/${id}`, { as: ann, body: { lifecycle: 'deprecated' } })
    expect([pipeline.project, changed.status]).toEqual([pipeline.project, 200])
    expect((await app.call('DELETE', `/pipelines/${id}`, { as: ann })).status).toBe(200)
  }
  return refused
}

describe('pipelines', () => {
  it('that ship as samples', async () => {
    expect(await goThrough(files.filter((file) => !isRefused(file)).map(sampleOf))).toEqual([])
  })

  it('that ship as samples to be refused are, with each field', async () => {
    expect(await goThrough(files.filter(isRefused).map(sampleOf))).toEqual([
      'dataexport: /body/props/vars/password credential, /body/props/synth/source/options/token credential',
      'mobile: /body/props/stages/0/steps minItems',
    ])
  })

  it('that other people wrote, where ../shared/data has them', async () => {
    expect(await goThrough(real)).toEqual([])
  })
})
