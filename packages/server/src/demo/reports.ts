/**
 * Ninety days of deliveries for the demo, and a report source to which a reader can send a first deployment with one
 * command.
 *
 * INVARIANT: the secret of the source is shown only on the terminal, never in the log.
 */
import type { App } from '../app.js'

import { recordDemoHistory } from '../reporting/index.js'
import type { Settings } from '../runtime/settings/load.js'
import { type ShownDemo, wantsHistory } from './make.js'

const PROJECTS = ['storefront', 'orders'] as const

/** Modules that the history calls; a process without one of them gets no such history. */
const MODULES = ['pipeline', 'reporting', 'compliance'] as const

type Wanting = Parameters<typeof wantsHistory>[0] & Pick<Settings, 'BASE_PATH'>

/** @returns the text for the terminal; empty when there is no history. */
export async function createDemoReports(app: App, demo: ShownDemo, url: string, settings: Wanting): Promise<string> {
  const { PLUMBLINE_MODULES, BASE_PATH } = settings
  if (!wantsHistory(settings) || !MODULES.every((name) => PLUMBLINE_MODULES.includes(name))) return ''
  const call = callerOf(app, demo.token, BASE_PATH)
  try {
    const pipelines: { id: string; name: string }[] = []
    for (const name of PROJECTS) {
      const { pipeline } = await call('POST', '/pipelines', pipelineBody(name))
      const { id } = pipeline as { id: string }
      await call('POST', '/pipelines/registry', { pipelineId: id })
      pipelines.push({ id, name })
    }
    await recordDemoHistory(app.runtime, demo.organization.id, pipelines)
    const mapping = { '*': pipelines[0]?.id ?? '' }
    const made = await call('POST', '/reports/sources', { name: 'first number', format: 'cdevents', mapping })
    const { id } = made['source'] as { id: string }
    return firstNumber(`${url}${BASE_PATH}/reports/events/webhook/cdevents/${id}`, String(made['secret']))
  } catch (error) {
    return `\n  The demo has no history of deliveries: ${error instanceof Error ? error.message : String(error)}\n`
  }
}

type Answered = Readonly<Record<string, unknown>>

const callerOf =
  (app: App, token: string, basePath: string) =>
  async (method: string, path: string, body: object): Promise<Answered> => {
    const request = new Request(`http://demo.invalid${basePath}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const response = await app.http.fetch(request, {})
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
    return (JSON.parse(text) as { data: Answered }).data
  }

/** Satisfies the rules of the shipped libraries that a reader may have activated. */
const pipelineBody = (project: string) => ({
  project,
  organization: 'acme',
  pipelineName: project,
  description: `Ships the ${project}`,
  keywords: ['web'],
  labels: { team: 'shop' },
  props: {
    synth: {
      source: { type: 'github', options: { repo: `acme/${project}`, branch: 'main' } },
      plugin: { name: 'node-build' },
    },
  },
})

/** A command that sends a deployment as CDEvents, with the time at which the reader runs it. */
function firstNumber(address: string, secret: string): string {
  const stamp = `'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'`
  const event = {
    context: {
      specversion: '0.4.1',
      id: 'first-number',
      source: '/demo',
      type: 'dev.cdevents.service.deployed.0.1.1',
      timestamp: 'STAMP',
    },
    subject: {
      id: 'storefront',
      type: 'service',
      content: { environment: { id: 'production' }, artifactId: 'pkg:oci/storefront@sha256:0f4d' },
    },
  }
  const body = JSON.stringify(event).replace('STAMP', stamp)
  return `
  First number:  a deployment, sent by what deploys it; then plumbline reports dora
                 curl -s ${address} -H "Authorization: Bearer ${secret}" -H "Content-Type: application/json" -d '${body}'

`
}
