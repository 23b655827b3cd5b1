/** Entities to judge: a folder of specifications that people wrote, or the samples of this repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attributes, Target } from '@plumbline/engine'
import { parseAllDocuments } from 'yaml'

export type Entities = { readonly [target in Target]: readonly Attributes[] }

const FILES: { readonly [target in Target]: string } = { plugin: 'plugin-specs.json', pipeline: 'pipelines.json' }

/** @param folder With `plugin-specs.json` and `pipelines.json`, or with the folders `plugins` and `pipelines`. */
export function readEntities(folder: string): Entities {
  const read = (target: Target): Attributes[] => {
    const file = join(folder, FILES[target])
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Attributes[]
    const samples = join(folder, `${target}s`)
    return readdirSync(samples).flatMap((name) =>
      parseAllDocuments(readFileSync(join(samples, name), 'utf8')).map((document) => document.toJS() as Attributes),
    )
  }
  return { plugin: read('plugin'), pipeline: read('pipeline') }
}

/**
 * An entity as the platform keeps it when it was sent without any of the optional fields (spec platform 7, 8.1, 10.1).
 * The image of a plugin runs as root, as one does whose Dockerfile has no USER line: the harder case.
 */
export const asStored = (target: Target, entity: Attributes): Attributes => ({
  ...(target === 'plugin' ? pluginDefaults : { pipelineName: pipelineName(entity) }),
  accessModifier: 'private',
  isActive: true,
  ownerId: 'user-1',
  ownerType: 'user',
  lifecycle: 'production',
  criticality: null,
  labels: {},
  links: [],
  ...entity,
})

const pluginDefaults: Attributes = {
  description: null,
  category: 'unknown',
  keywords: [],
  metadata: {},
  pluginType: 'CodeBuildStep',
  computeType: 'SMALL',
  timeout: null,
  failureBehavior: 'fail',
  secrets: [],
  primaryOutputDirectory: null,
  env: {},
  buildArgs: {},
  installCommands: [],
  buildType: 'build_image',
  usesRootUser: true,
  baseImage: 'registry.example.com/base/ubuntu:24.04',
  isDefault: true,
}

const pipelineName = ({ organization, project }: Attributes): string =>
  `${keyOf(organization)}-${keyOf(project)}-pipeline`
const keyOf = (name: unknown): string =>
  String(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
