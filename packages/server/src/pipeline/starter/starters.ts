/**
 * The templates in every organization's catalog: public, in the system organization, and built from the plugins that
 * ship with the server.
 */
import type { Props } from '../props/schema.js'
import type { TemplateBody } from '../template/record.js'
import type { TemplateInput } from '../template-input.js'

export type Starter = Required<Pick<TemplateBody, 'name' | 'description' | 'keywords' | 'category' | 'props'>> & {
  readonly inputs: readonly TemplateInput[]
}

type Stage = NonNullable<Props['stages']>[number]
type Step = Stage['steps'][number]

/** The version of the plugins that ship with the server. */
const VERSION = '1.0.0'

const step = (name: string, env: Record<string, string> = {}, more: Omit<Step, 'plugin' | 'env'> = {}): Step => ({
  plugin: { name, version: VERSION },
  ...(Object.keys(env).length === 0 ? {} : { env }),
  ...more,
})

const stage = (stageName: string, ...steps: Step[]): Stage => ({ stageName, steps })

const deployStage = (...steps: Step[]): Stage => ({
  stageName: 'Release',
  environment: '{{ vars.environment }}',
  steps,
})

/** The people who must approve before anything is released. */
const approval = (): Step => step('manual-approval', { APPROVERS: '{{ vars.approvers }}' })

const SOURCE_INPUTS: readonly TemplateInput[] = [
  { name: 'repository', label: 'Repository', description: 'owner/name on GitHub', type: 'string', required: true },
  { name: 'branch', label: 'Branch', description: 'What is built', type: 'string', default: 'main' },
]

const RELEASE_INPUTS: readonly TemplateInput[] = [
  {
    name: 'environment',
    label: 'Environment',
    description: 'The target of the release',
    type: 'string',
    default: 'production',
    options: ['development', 'staging', 'production'],
  },
  {
    name: 'approvers',
    label: 'Approvers',
    description: 'Who may release',
    type: 'string',
    default: 'release-managers',
  },
]

const text = (name: string, label: string, value?: string, options?: readonly string[]): TemplateInput => ({
  name,
  label,
  type: 'string',
  ...(value === undefined ? { required: true } : { default: value }),
  ...(options === undefined ? {} : { options }),
})

const synth = (plugin: string): Props['synth'] => ({
  source: {
    type: 'github',
    options: { repo: '{{ vars.repository }}', branch: '{{ vars.branch }}', token: 'secret:SOURCE_TOKEN' },
  },
  plugin: { name: plugin, version: VERSION },
})

const NODE = text('nodeVersion', 'Node.js', '22', ['20', '22', '24'])
const PYTHON = text('pythonVersion', 'Python', '3.12', ['3.11', '3.12', '3.13'])
const JAVA = text('javaVersion', 'Java', '21', ['17', '21', '25'])
const node = { NODE_VERSION: '{{ vars.nodeVersion }}' }
const python = { PYTHON_VERSION: '{{ vars.pythonVersion }}' }
const java = { JAVA_VERSION: '{{ vars.javaVersion }}' }
const image = { IMAGE: '{{ vars.image }}', DOCKERFILE: '{{ vars.dockerfile }}' }
const scan = step('container-scan', { IMAGE: '{{ vars.image }}', FAIL_ON: '{{ vars.failOn }}' })

const IMAGE_INPUTS: readonly TemplateInput[] = [
  text('image', 'Image'),
  text('dockerfile', 'Dockerfile', 'Dockerfile'),
  text('failOn', 'Lowest severity that fails', 'high', ['low', 'medium', 'high', 'critical']),
]

const deploy = step('artifact-deploy', { TARGET: '{{ vars.target }}', ENVIRONMENT: '{{ vars.environment }}' })
const TARGET = text('target', 'The target of the artifact')

export const STARTERS: readonly Starter[] = [
  {
    name: 'Node.js web application',
    description: 'Builds and tests a Node.js application, and deploys it after an approval.',
    keywords: ['node', 'javascript', 'web'],
    category: 'application',
    inputs: [...SOURCE_INPUTS, NODE, TARGET, ...RELEASE_INPUTS],
    props: {
      synth: synth('node-build'),
      stages: [
        stage('Build', step('node-build', node)),
        stage('Test', step('node-test', node)),
        deployStage(approval(), deploy),
      ],
    },
  },
  {
    name: 'Node.js package',
    description: 'Builds and tests a Node.js package on one version, and publishes it after an approval.',
    keywords: ['node', 'javascript', 'library'],
    category: 'library',
    inputs: [
      ...SOURCE_INPUTS,
      NODE,
      text('packageRegistry', 'Registry', 'https://registry.npmjs.org'),
      ...RELEASE_INPUTS,
    ],
    props: {
      synth: synth('node-build'),
      stages: [
        stage('Build', step('node-build', node)),
        stage('Test', step('node-test', { ...node, COVERAGE: 'true' })),
        deployStage(approval(), step('artifact-deploy', { TARGET: '{{ vars.packageRegistry }}' })),
      ],
    },
  },
  {
    name: 'Python service',
    description: 'Builds and tests a Python service, packs it into an image, scans that and deploys it.',
    keywords: ['python', 'service', 'container'],
    category: 'application',
    inputs: [...SOURCE_INPUTS, PYTHON, ...IMAGE_INPUTS, TARGET, ...RELEASE_INPUTS],
    props: {
      synth: synth('python-build'),
      stages: [
        stage('Build', step('python-build', python)),
        stage('Test', step('python-test', python)),
        stage('Package', step('container-build', image), scan),
        deployStage(approval(), deploy),
      ],
    },
  },
  {
    name: 'Python package',
    description: 'Builds and tests a Python package, and publishes it after an approval.',
    keywords: ['python', 'library'],
    category: 'library',
    inputs: [...SOURCE_INPUTS, PYTHON, TARGET, ...RELEASE_INPUTS],
    props: {
      synth: synth('python-build'),
      stages: [
        stage('Build', step('python-build', python)),
        stage('Test', step('python-test', python)),
        deployStage(approval(), deploy),
      ],
    },
  },
  {
    name: 'Java service',
    description: 'Builds a Java service with its tests, packs it into an image, scans that and deploys it.',
    keywords: ['java', 'service', 'container'],
    category: 'application',
    inputs: [...SOURCE_INPUTS, JAVA, ...IMAGE_INPUTS, TARGET, ...RELEASE_INPUTS],
    props: {
      synth: synth('java-build'),
      stages: [
        stage('Build', step('java-build', java)),
        stage('Package', step('container-build', image), scan),
        deployStage(approval(), deploy),
      ],
    },
  },
  {
    name: 'Container image',
    description: 'Builds an image from a Dockerfile, scans it and pushes it after an approval.',
    keywords: ['container', 'image'],
    category: 'container',
    inputs: [...SOURCE_INPUTS, ...IMAGE_INPUTS, TARGET, ...RELEASE_INPUTS],
    props: {
      synth: synth('container-build'),
      stages: [
        stage('Build', step('container-build', image)),
        stage('Security', scan),
        deployStage(approval(), deploy),
      ],
    },
  },
  {
    name: 'Static site',
    description: 'Builds a static site, checks it and deploys it.',
    keywords: ['web', 'static', 'site'],
    category: 'application',
    inputs: [
      ...SOURCE_INPUTS,
      text('outputDirectory', 'Output directory', 'dist'),
      { name: 'minify', label: 'Minify', type: 'boolean', default: true },
      TARGET,
      ...RELEASE_INPUTS,
    ],
    props: {
      synth: synth('static-site-build'),
      stages: [
        stage(
          'Build',
          step('static-site-build', { OUTPUT: '{{ vars.outputDirectory }}', MINIFY: '{{ vars.minify }}' }),
        ),
        stage('Verify', step('node-test', {}, { failureBehavior: 'warn' })),
        deployStage(approval(), deploy),
      ],
    },
  },
  {
    name: 'Terraform',
    description: 'Plans a change of infrastructure, waits for approval of the plan and applies it.',
    keywords: ['terraform', 'infrastructure'],
    category: 'infrastructure',
    inputs: [
      ...SOURCE_INPUTS,
      text('directory', 'Directory', '.'),
      text('workspace', 'Workspace', 'default'),
      { name: 'parallelism', label: 'Parallel operations', type: 'number', default: 10 },
      ...RELEASE_INPUTS,
    ],
    props: {
      synth: synth('terraform-plan'),
      stages: [
        stage(
          'Verify',
          step('terraform-plan', { DIRECTORY: '{{ vars.directory }}', WORKSPACE: '{{ vars.workspace }}' }),
        ),
        stage('Approve', approval()),
        deployStage(
          step('terraform-apply', {
            DIRECTORY: '{{ vars.directory }}',
            WORKSPACE: '{{ vars.workspace }}',
            PARALLELISM: '{{ vars.parallelism }}',
          }),
        ),
      ],
    },
  },
  {
    name: 'Scheduled image rebuild',
    description: 'Rebuilds and scans an image on a schedule, so that it gets the fixes of its base image.',
    keywords: ['container', 'image', 'schedule', 'security'],
    category: 'container',
    inputs: [...SOURCE_INPUTS, ...IMAGE_INPUTS, text('schedule', 'Schedule', 'rate(1 day)'), TARGET, ...RELEASE_INPUTS],
    props: {
      schedule: '{{ vars.schedule }}',
      synth: synth('container-build'),
      stages: [stage('Build', step('container-build', image)), stage('Security', scan), deployStage(deploy)],
    },
  },
]
