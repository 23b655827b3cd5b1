/**
 * The entities for the measurements: real plugin specifications if available, typical ones otherwise, variants that
 * pass everything, and large sets of entities whose texts are new to every contender.
 */
import { existsSync, readFileSync } from 'node:fs'

export type Entity = { readonly [key: string]: unknown }

const REAL = new URL('../../../../shared/data/plugin-specs.json', import.meta.url)

export interface Entities {
  readonly origin: string
  readonly violating: readonly Entity[]
  readonly passing: readonly Entity[]
  /** Each entity breaks about sixteen rules. */
  readonly neglected: readonly Entity[]
}

export function loadEntities(): Entities {
  const isReal = existsSync(REAL)
  const violating = isReal ? (JSON.parse(readFileSync(REAL, 'utf8')) as Entity[]) : typical()
  return {
    origin: `${violating.length} ${isReal ? 'real plugin specifications' : 'typical plugin specifications'}`,
    violating,
    passing: violating.map(repaired),
    neglected: violating.map(neglected),
  }
}

/** Each entity breaks about five rules, as in real inventories. */
function typical(): readonly Entity[] {
  const of = <T>(choices: readonly T[], index: number): T => choices[index % choices.length] as T
  return Array.from({ length: 64 }, (_, i) => ({
    name: `${of(['go', 'java', 'node', 'python-test'], i)}-${of(['build', 'lint', 'publish', 'scan'], i >> 2)}-${i}`,
    description: 'Builds, checks and publishes an artifact for the team that owns it. '.repeat(1 + (i % 4)),
    keywords: ['build', 'artifact', 'team', 'release', 'cache', 'image', 'notes'].slice(0, 3 + (i % 5)),
    category: of(['language', 'security', 'deploy', 'quality'], i),
    version: of(['1.0.0', '1.1.0', '2.0.0-rc'], i),
    pluginType: 'CodeBuildStep',
    computeType: of(['SMALL', 'MEDIUM', 'SMALL', 'LARGE'], i),
    timeout: of([5, 10, 15, 30, 45, 60], i),
    failureBehavior: of(['fail', 'warn'], i),
    secrets: Array.from({ length: i % 4 }, (_, n) => ({ name: `SECRET_${n}`, required: true })),
    primaryOutputDirectory: of(['dist', 'reports', '**/*'], i),
    dockerfile: 'Dockerfile',
    installCommands: ['test -d dist || mkdir -p dist', 'node --version'],
    commands: [`set -e\necho "step ${i}"\n${'run --all\n'.repeat(20)}`, 'echo done'],
    env: Object.fromEntries(Array.from({ length: i % 11 }, (_, n) => [`SETTING_${n}`, `${n}`])),
    buildType: 'build_image',
  }))
}

/** The same entity after long neglect. */
function neglected(entity: Entity, index: number): Entity {
  const commands = entity.commands as readonly string[]
  return {
    ...entity,
    version: '1.0',
    computeType: 'LARGE',
    timeout: 60 + (index % 30),
    failureBehavior: 'warn',
    primaryOutputDirectory: '/out/*',
    usesRootUser: true,
    commands: [`sudo make step-${index}`, ...commands.slice(1, 3)],
  }
}

/** The same entity after all findings were fixed. */
function repaired(entity: Entity, index: number): Entity {
  const { metadata: _, ...rest } = entity
  const commands = rest.commands as readonly string[]
  return {
    ...rest,
    name: `plugin-${index}`,
    version: '1.2.3',
    description: String(entity.description).padEnd(120, '.').slice(0, 180),
    keywords: ['build', 'image', 'release', 'team', 'cache'],
    ownerId: `team-${index % 5}`,
    smokeTest: { command: 'node --version' },
    computeType: 'SMALL',
    timeout: 10 + (index % 30),
    failureBehavior: 'fail',
    primaryOutputDirectory: 'reports',
    secrets: [],
    commands: [`set -e\n${commands[0] ?? ''}`.replaceAll('sudo ', ''), ...commands.slice(1, 3)],
    installCommands: ['node --version'],
    env: Object.fromEntries(Object.entries((entity.env as object) ?? {}).slice(0, 6)),
  }
}

/** Copies with separate strings: parsed from JSON, so that no string is shared or already flattened. */
export function unseen(entities: readonly Entity[], count: number): Entity[] {
  return Array.from({ length: count }, (_, index) => {
    const base = entities[index % entities.length] as Entity
    const [first, ...others] = base.commands as readonly string[]
    const mark = index.toString(36)
    return JSON.parse(
      JSON.stringify({
        ...base,
        name: `${String(base.name).slice(0, 18)}${mark}`,
        description: `${mark}${String(base.description).slice(mark.length)}`,
        version: `1.${index % 1000}.${index >> 10}`,
        primaryOutputDirectory: `${String(base.primaryOutputDirectory)}${mark}`,
        commands: [`${first ?? ''}# ${mark}`, ...others],
      }),
    ) as Entity
  })
}
