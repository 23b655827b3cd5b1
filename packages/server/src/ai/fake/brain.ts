/**
 * The fake model's answer: a draft derived from words of the prompt, always the same for the same prompt. When it is
 * told faults, it leaves out what they name. For a repository it uses the given source. Words of the prompt: `node`,
 * `python`, `go`, `java` choose the plugin, `test` adds a stage, `deploy to <name>` a stage with that environment,
 * `with plugin <name>` a step, `nightly` a schedule, `team: <name>` a label, `stubborn` keeps what was refused. It sets
 * a label that a fault asks for, from the prompt or else to the name of the project.
 */
export interface Asking {
  readonly kind: 'pipeline' | 'plugin'
  /** The first turn and the last turn. */
  readonly first: string
  readonly last: string
  /** How often the model was told faults. */
  readonly repairs: number
}

const LANGUAGES = ['node', 'python', 'go', 'java', 'rust', 'ruby'] as const

const words = (text: string): string => text.toLowerCase()
const languageOf = (text: string): string =>
  LANGUAGES.find((each) => new RegExp(`\\b${each}\\b`).test(text)) ??
  (/package\.json|typescript|javascript|react/.test(text) ? 'node' : 'node')

/** The wish itself, without the lists that the prompt adds. */
const wishOf = (first: string): string => first.split(/\n\n(?:Plugins that are there|Names of its files):/)[0] ?? first

const plugin = (name: string) => ({ name, version: null, alias: null })
const NO_COMMANDS = { preInstallCommands: null, postInstallCommands: null, preCommands: null, postCommands: null }
const step = (name: string) => ({
  name: null,
  plugin: plugin(name),
  env: null,
  metadata: null,
  position: null,
  timeout: null,
  failureBehavior: null,
  ...NO_COMMANDS,
})

interface Stage {
  stageName: string
  alias: null
  environment: string | null
  steps: ReturnType<typeof step>[]
}

export function draftFor(asking: Asking): Record<string, unknown> {
  return asking.kind === 'pipeline' ? pipelineFor(asking) : pluginFor(asking)
}

function pipelineFor({ first, last, repairs }: Asking): Record<string, unknown> {
  const wish = words(wishOf(first))
  const language = languageOf(wish)
  const stages: Stage[] = [{ stageName: 'Build', alias: null, environment: null, steps: [step(`${language}-build`)] }]
  const add = (stageName: string, environment: string | null, name: string) =>
    stages.push({ stageName, alias: null, environment, steps: [step(name)] })
  if (/\btests?\b/.test(wish)) add('Test', null, `${language}-test`)
  for (const [, name = ''] of wish.matchAll(/with plugin ([a-z0-9-]{1,64})/g)) add(`Run ${name}`, null, name)
  for (const [, name = ''] of wish.matchAll(/deploy to ([a-z0-9-]{1,40})/g))
    add(`Deploy ${name}`, name, `${language}-deploy`)
  const isStubborn = /\bstubborn\b/.test(wish)
  const kept = repairs === 0 || isStubborn ? stages : withoutFaults(stages, last)
  const [, repo = 'acme/app'] = /\brepository:? ([a-z0-9._-]+\/[a-z0-9._-]+)/.exec(wish) ?? []
  const project = /\bproject:? ([a-z0-9-]{1,60})/.exec(wish)?.[1] ?? null
  const told = /^source: (github|gitlab|bitbucket|git) (\S+) at (\S+)$/m.exec(wishOf(first))
  const source =
    told === null ? { type: 'github', repo, branch: 'main' } : { type: told[1], repo: told[2], branch: told[3] }
  return {
    project,
    organization: null,
    pipelineName: null,
    description: `Builds a ${language} service`,
    keywords: [language],
    labels: labelsFor(wish, project, repairs === 0 || isStubborn ? '' : words(last)),
    schedule: /\bnightly\b/.test(wish) ? 'rate(1 day)' : null,
    metadata: null,
    vars: null,
    synth: {
      source: {
        ...{ ...source, token: null, trigger: null, bucketName: null, objectKey: null },
        ...{ connectionArn: null, codeBuildCloneOutput: null, repositoryName: null },
      },
      plugin: plugin('cdk-synth'),
      env: null,
      metadata: null,
      ...NO_COMMANDS,
    },
    stages: kept,
  }
}

/** Labels from the prompt, and those that a fault asks for. */
function labelsFor(wish: string, project: string | null, faults: string) {
  const labels = new Map(
    [...wish.matchAll(/\b(team): ([a-z0-9-]{1,60})/g)].map(([, name = '', value = '']) => [name, value]),
  )
  for (const [, name = ''] of faults.matchAll(/\blabels[./]([a-z0-9_-]{1,63})/g)) {
    if (!labels.has(name)) labels.set(name, project ?? 'app')
  }
  return labels.size === 0 ? null : [...labels].map(([name, value]) => ({ name, value }))
}

/** The stages without the steps that a fault names, by plugin or by position. */
function withoutFaults(stages: readonly Stage[], faults: string): Stage[] {
  const told = words(faults)
  return stages
    .map((stage, n) => ({
      ...stage,
      steps: stage.steps.filter(
        ({ plugin: { name } }, m) => !told.includes(name) && !told.includes(`/stages/${n}/steps/${m}`),
      ),
    }))
    .filter(({ steps }) => steps.length > 0)
}

function pluginFor({ first, last, repairs }: Asking): Record<string, unknown> {
  const wish = words(wishOf(first))
  const language = languageOf(wish)
  const told = repairs === 0 ? '' : words(last)
  const name = /\b(?:called|named) ([a-z0-9-]{1,60})/.exec(wish)?.[1] ?? `${language}-tool`
  const isRoot = /\bas root\b/.test(wish) && !/root|user/.test(told)
  const image = { node: 'node:20-slim', python: 'python:3.12-slim', go: 'golang:1.23', java: 'eclipse-temurin:21' }
  return {
    name,
    version: /\bversion (\d+\.\d+\.\d+)/.exec(wish)?.[1] ?? '1.0.0',
    description: `Runs ${language}`,
    keywords: [language],
    pluginType: 'CodeBuildStep',
    computeType: /\blarge\b/.test(wish) && !told.includes('compute') ? 'LARGE' : 'SMALL',
    primaryOutputDirectory: null,
    installCommands: null,
    commands: [`${language} --version`],
    env: null,
    buildArgs: null,
    secrets: null,
    dockerfile: `FROM ${image[language as keyof typeof image] ?? 'debian:12-slim'}\n${isRoot ? '' : 'USER 1000\n'}`,
  }
}
