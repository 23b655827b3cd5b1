/**
 * The plugins and pipelines of the demo's organization on the first day, some of which violate rules that are added
 * later.
 */
import { type DemoPlugin, type Hands, idIn, uploadOf } from './hands.js'

const PLUGINS: readonly DemoPlugin[] = [
  { name: 'node-build', version: '1.4.0', description: 'Builds with npm', computeType: 'MEDIUM', team: 'platform' },
  { name: 'unit-tests', version: '2.0.1', description: 'Runs the unit tests', computeType: 'MEDIUM', team: 'platform' },
  { name: 'image-scan', version: '1.1.0', description: 'Scans images', computeType: 'LARGE', team: 'security' },
  { name: 'deploy-aws', version: '3.2.0', description: 'Deploys with CDK', computeType: 'SMALL' },
]

export interface DemoPipeline {
  readonly project: string
  readonly branch: string
  readonly team?: string
  readonly keywords?: readonly string[]
}

const PIPELINES: readonly DemoPipeline[] = [
  { project: 'checkout', branch: 'main', team: 'shop', keywords: ['web'] },
  { project: 'catalogue', branch: 'main', team: 'shop' },
  { project: 'search', branch: 'main', keywords: ['web'] },
  { project: 'payments', branch: 'release', team: 'billing', keywords: ['pci'] },
  { project: 'invoices', branch: 'main' },
  { project: 'ledger', branch: 'main', team: 'billing', keywords: ['pci'] },
  { project: 'identity', branch: 'main', team: 'platform', keywords: ['internal'] },
  { project: 'mail-gateway', branch: 'develop' },
  { project: 'mobile-api', branch: 'main', team: 'mobile', keywords: ['web'] },
  { project: 'push', branch: 'main' },
  { project: 'warehouse', branch: 'main', team: 'logistics', keywords: ['batch'] },
  { project: 'returns', branch: 'main', team: 'logistics' },
]

/** The request body of a pipeline. */
export const pipelineBody = ({ project, branch, team, keywords = [] }: DemoPipeline) => ({
  project,
  organization: 'acme',
  pipelineName: project,
  description: `Ships ${project}`,
  keywords,
  labels: team === undefined ? {} : { team },
  props: {
    synth: { source: { type: 'github', options: { repo: `acme/${project}`, branch } }, plugin: { name: 'node-build' } },
  },
})

/** Ids by project of a pipeline, and by name of a plugin. */
export type Ids = Readonly<Record<string, string>>

/** Concurrently: a separate process reads the uploads, and the commits are grouped. */
export async function createRecords({ send }: Hands): Promise<Ids> {
  const plugins = PLUGINS.map(async (plugin) => {
    const made = await send('demo-admin', 'POST', '/plugins', uploadOf(plugin))
    return [plugin.name, String(made['pluginId'])] as const
  })
  const pipelines = PIPELINES.map(async (pipeline) => {
    const made = await send('demo-member', 'POST', '/pipelines', pipelineBody(pipeline))
    return [pipeline.project, idIn(made, 'pipeline')] as const
  })
  return Object.fromEntries(await Promise.all([...plugins, ...pipelines]))
}

/** Changes a pipeline so that it satisfies the rules. */
export async function repair({ send }: Hands, project: string, change: Partial<DemoPipeline>): Promise<void> {
  const before = PIPELINES.find((pipeline) => pipeline.project === project)
  if (before === undefined) throw new Error(`the demo has no pipeline ${project}`)
  await send('demo-member', 'POST', '/pipelines', pipelineBody({ ...before, ...change }))
}
