/** Data for the journeys: pipelines, two rules that they violate, a scan. */
import type { Api } from './console.js'

interface Seeded {
  readonly ruleId: string
  readonly pipelineId: string
  readonly scanId: string
}

const props = {
  synth: { source: { type: 'github', options: { repo: 'acme/shop', branch: 'main' } }, plugin: { name: 'synth' } },
}

export async function seed(api: Api): Promise<Seeded> {
  const names = ['checkout', 'catalogue', 'search']
  const made: string[] = []
  for (const project of names) {
    const body = { project, organization: 'acme', pipelineName: project, description: `Ships ${project}`, props }
    const { pipeline } = await api<{ pipeline: { id: string } }>('POST', '/pipelines', body)
    made.push(pipeline.id)
  }
  const rule = {
    name: 'Pipelines name a team',
    target: 'pipeline',
    severity: 'error',
    mode: 'enforce',
    description: 'So that somebody answers at night: set `labels.team`.',
    field: 'labels.team',
    operator: 'exists',
  }
  const { rule: stored } = await api<{ rule: { id: string } }>('POST', '/compliance/rules', rule)
  const { scan } = await api<{ scan: { id: string } }>('POST', '/compliance/scans', { target: 'all' })
  for (;;) {
    const { scan: now } = await api<{ scan: { status: string } }>('GET', `/compliance/scans/${scan.id}`)
    if (now.status !== 'pending' && now.status !== 'running') break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { ruleId: stored.id, pipelineId: made[0] ?? '', scanId: scan.id }
}
