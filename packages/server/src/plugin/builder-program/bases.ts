/** The base images of a Dockerfile: fetched outside the sandbox, from allowed registries, by digest. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { define, expand, fromOf, instructionsOf } from '../dockerfile/facts.js'
import { BASES_MAX, BaseAway, BaseRefused } from './base-refused.js'
import { linkBase, Poisoned } from './base-view.js'
import { type BaseInLayout, fetchOwnBase, type OwnRegistry } from './own-base.js'

const run = promisify(execFile)

const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

/**
 * The image names in FROM and `--from=`, with build arguments substituted, without stages and `scratch`. Read as the
 * server reads a Dockerfile for its rules.
 *
 * @throws BaseRefused for a FROM whose argument has no value.
 */
export function basesOf(dockerfile: string, buildArgs: Readonly<Record<string, string>>): string[] {
  const given = new Map(Object.entries(buildArgs))
  const globals = new Map<string, string>()
  let values = globals
  const stages = new Set<string>()
  const found = new Set<string>()
  const add = (name: string) => {
    if (!stages.has(name.toLowerCase())) found.add(name)
  }
  for (const { keyword, rest } of instructionsOf(dockerfile)) {
    if (keyword === 'ARG') define(rest, given, values, globals)
    else if (keyword === 'FROM') {
      const { image, stage } = fromOf(rest)
      const named = expand(image, globals)
      if (named === null) throw new BaseRefused(withoutValue(image))
      add(named)
      if (stage !== undefined) stages.add(stage.toLowerCase())
      values = new Map(globals)
    } else {
      for (const from of sourcesOf(keyword, rest)) {
        const named = expand(from, values)
        if (named !== null && !/^\d+$/.test(named)) add(named)
      }
    }
  }
  found.delete('scratch')
  return [...found]
}

const withoutValue = (image: string): string =>
  `FROM ${image.slice(0, 100)} needs an argument that has no value: give its ARG a default, or name it in \`buildArgs\` of plugin-spec.yaml`

/** The images in the flags of an instruction. What follows the flags is text. */
function* sourcesOf(keyword: string, rest: string): Generator<string> {
  if (!/^(?:COPY|ADD|RUN)$/.test(keyword)) return
  for (const [, name, value = ''] of leadingFlags(rest)) {
    const from = name === 'from' ? value : /(?:^|,)from=([^,]*)/.exec(name === 'mount' ? value : '')?.[1]
    if (from !== undefined && from !== '') yield from
  }
}

function* leadingFlags(rest: string): Generator<RegExpExecArray> {
  const flag = /\s*--([a-z]+)(?:=(\S*))?(?=\s|$)/y
  for (let found = flag.exec(rest); found !== null; found = flag.exec(rest)) yield found
}

/** The registry in a name, as every tool interprets it. */
export function registryOf(name: string): string {
  const [first = ''] = name.split('/')
  return name.includes('/') && /[.:]|^localhost$/.test(first) ? first : 'docker.io'
}

export interface BaseSources {
  /** The layout of this builder. */
  readonly layout: string
  /** The layout of this build: the build sees no other. */
  readonly view: string
  readonly allowed: readonly string[]
  /** The registry of the image to build; what the organization may pull from it is allowed. */
  readonly own: OwnRegistry
  /** Names that an earlier attempt resolved: a tag may have moved since then. */
  readonly known?: ReadonlyMap<string, string>
  readonly signal: AbortSignal
}

/**
 * Puts the images into the layout of the builder, and those of this build into its own layout.
 * @returns the images by their names in the Dockerfile.
 * @throws BaseRefused for a registry that is not allowed and for an image that does not exist.
 */
export async function fetchBases(names: readonly string[], sources: BaseSources): Promise<Map<string, BaseInLayout>> {
  const { layout, view } = sources
  // guard: a-build-names-so-many-base-images
  if (names.length > BASES_MAX)
    throw new BaseRefused(`the Dockerfile names ${names.length} base images, and the limit is ${BASES_MAX}`)
  mkdirSync(view, { recursive: true })
  const bases = new Map<string, BaseInLayout>()
  for (const name of names) {
    let base = await fetchBase(name, sources)
    try {
      await linkBase(layout, base.ref, view)
    } catch (error) {
      if (!(error instanceof Poisoned)) throw error
      base = await fetchBase(name, sources)
      await linkBase(layout, base.ref, view)
    }
    bases.set(name, base)
  }
  return bases
}

async function fetchBase(name: string, { layout, allowed, own, known, signal }: BaseSources): Promise<BaseInLayout> {
  if (!/^[a-z0-9][A-Za-z0-9._:/@-]{0,300}$/.test(name))
    throw new BaseRefused(`\`${name.slice(0, 100)}\` names no image`)
  const registry = registryOf(name)
  if (registry === new URL(own.url).host) return ownBase(own, { name, known: known?.get(name) }, layout, signal)
  // guard: base-images-come-from-where-they-may
  if (!allowed.includes(registry)) {
    const may = [new URL(own.url).host, ...allowed].join(', ')
    throw new BaseRefused(
      `the base image ${name} is of ${registry}; allowed are \`scratch\` and images of ${may}: use one of these, or have an operator add ${registry} to PLUGIN_BASE_REGISTRIES (--base-registry of a builder)`,
    )
  }
  const isLocal = LOCAL.test(registry)
  try {
    const digest = known?.get(name) ?? (await digestOf(name, isLocal ? ['--tls-verify=false'] : [], signal))
    const ref = refOf(name, digest)
    const source = `docker://${withoutReference(name)}@${digest}`
    const args = ['copy', '-q', ...(isLocal ? ['--src-tls-verify=false'] : []), source, `oci:${layout}:${ref}`]
    await run('skopeo', args, { signal })
    return { ref, digest }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const said = ((error as { stderr?: string }).stderr ?? '').trim().slice(-300)
    if (/manifest unknown|not found|unauthorized|denied|invalid status code from registry 4/i.test(said)) {
      throw new BaseRefused(`the base image ${name} does not exist, or is not public: ${said}`)
    }
    throw new BaseAway(`the base image ${name} cannot be fetched: ${said}`)
  }
}

async function digestOf(name: string, verify: readonly string[], signal: AbortSignal): Promise<string> {
  const { stdout } = await run('skopeo', ['inspect', ...verify, '--format', '{{.Digest}}', `docker://${name}`], {
    signal,
  })
  return stdout.trim()
}

const refOf = (name: string, digest: string): string =>
  createHash('sha256').update(`${name}\n${digest}`).digest('hex').slice(0, 32)

const withoutReference = (name: string): string => name.replace(/@sha256:[0-9a-f]{64}$/, '').replace(/:[^:/]+$/, '')

/** If a name has a tag and a digest, the digest counts. */
function ownBase(
  own: OwnRegistry,
  { name, known }: { readonly name: string; readonly known: string | undefined },
  layout: string,
  signal: AbortSignal,
): Promise<BaseInLayout> {
  const host = registryOf(name)
  const repository = withoutReference(name).slice(host.length + 1)
  const [, digest] = /@(sha256:[0-9a-f]{64})$/.exec(name) ?? []
  const [, tag] = /:([^:/]+)$/.exec(name) ?? []
  const reference = known ?? digest ?? tag ?? 'latest'
  return fetchOwnBase(own, { repository, reference, refOf: (found) => refOf(name, found) }, layout, signal)
}
