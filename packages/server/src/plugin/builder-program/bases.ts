/** The images that a Dockerfile begins from: fetched outside of the sandbox, from registries that are allowed, by digest. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { BaseRefused } from './base-refused.js'
import { fetchOwnBase, type OwnRegistry } from './own-base.js'

const run = promisify(execFile)

const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

/** Names of images in FROM and `--from=`, without stages and `scratch`; with arguments put in. */
export function basesOf(dockerfile: string, buildArgs: Readonly<Record<string, string>>): string[] {
  const values = new Map<string, string>()
  const stages = new Set<string>()
  const found = new Set<string>()
  const expanded = (text: string) =>
    text.replace(/\$(?:\{([A-Za-z_]\w*)(?::-([^${}]*))?\}|([A-Za-z_]\w*))/g, (_all, braced, other, plain) => {
      return values.get(braced ?? plain) ?? other ?? ''
    })
  for (const line of dockerfile.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const [, name = '', fallback = ''] = /^\s*ARG\s+([A-Za-z_]\w*)(?:=["']?([^"'\s]*))?/i.exec(line) ?? []
    if (name !== '') values.set(name, buildArgs[name] ?? fallback)
    const [, image = '', stage = ''] = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line) ?? []
    if (image !== '') {
      const named = expanded(image)
      if (!stages.has(named.toLowerCase())) found.add(named)
      if (stage !== '') stages.add(stage.toLowerCase())
    }
    for (const [, from = ''] of line.matchAll(/(?:--from=|[,=]from=)["']?([^\s,"']+)/g)) {
      const named = expanded(from)
      if (!stages.has(named.toLowerCase()) && !/^\d+$/.test(named)) found.add(named)
    }
  }
  found.delete('scratch')
  return [...found].filter((name) => name !== '')
}

/** The registry of a name, as every tool reads it. */
export function registryOf(name: string): string {
  const [first = ''] = name.split('/')
  return name.includes('/') && /[.:]|^localhost$/.test(first) ? first : 'docker.io'
}

/**
 * Puts the images into the layout.
 * @returns names as the Dockerfile has them, to references in the layout.
 * @throws BaseRefused for a registry that is not allowed and an image that is not there.
 */
export async function fetchBases(
  names: readonly string[],
  {
    layout,
    allowed,
    own,
    signal,
  }: {
    readonly layout: string
    readonly allowed: readonly string[]
    /** The registry that the image goes to; what the organization may pull from it is allowed. */
    readonly own: OwnRegistry
    readonly signal: AbortSignal
  },
): Promise<Map<string, string>> {
  const refs = new Map<string, string>()
  for (const name of names) {
    if (!/^[a-z0-9][A-Za-z0-9._:/@-]{0,300}$/.test(name))
      throw new BaseRefused(`\`${name.slice(0, 100)}\` names no image`)
    const registry = registryOf(name)
    if (registry === new URL(own.url).host) {
      refs.set(name, await ownBase(own, name, layout, signal))
      continue
    }
    // guard: base-images-come-from-where-they-may
    if (!allowed.includes(registry)) {
      const may = allowed.length === 0 ? 'FROM scratch alone is' : `those of ${allowed.join(', ')} are`
      throw new BaseRefused(
        `the base image ${name} is of ${registry}; ${may} allowed on this builder (--base-registry)`,
      )
    }
    const verify = LOCAL.test(registry) ? ['--tls-verify=false'] : []
    try {
      const inspected = await run('skopeo', ['inspect', ...verify, '--format', '{{.Digest}}', `docker://${name}`], {
        signal,
      })
      const digest = inspected.stdout.trim()
      const ref = refOf(name, digest)
      const repository = withoutReference(name)
      const source = LOCAL.test(registry) ? ['--src-tls-verify=false'] : []
      await run('skopeo', ['copy', '-q', ...source, `docker://${repository}@${digest}`, `oci:${layout}:${ref}`], {
        signal,
      })
      refs.set(name, ref)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const said = (error as { stderr?: string }).stderr ?? ''
      if (/manifest unknown|not found|unauthorized|denied|invalid status code from registry 4/i.test(said)) {
        throw new BaseRefused(
          `the base image ${name} is not there, or is not for everybody: ${said.trim().slice(-300)}`,
        )
      }
      throw new Error(`the base image ${name} cannot be fetched: ${said.trim().slice(-300)}`)
    }
  }
  return refs
}

const refOf = (name: string, digest: string): string =>
  createHash('sha256').update(`${name}\n${digest}`).digest('hex').slice(0, 32)

const withoutReference = (name: string): string => name.replace(/@sha256:[0-9a-f]{64}$/, '').replace(/:[^:/]+$/, '')

/** A name may have a tag and a digest: the digest is meant. */
function ownBase(own: OwnRegistry, name: string, layout: string, signal: AbortSignal): Promise<string> {
  const host = registryOf(name)
  const repository = withoutReference(name).slice(host.length + 1)
  const [, digest] = /@(sha256:[0-9a-f]{64})$/.exec(name) ?? []
  const [, tag] = /:([^:/]+)$/.exec(name) ?? []
  const reference = digest ?? tag ?? 'latest'
  return fetchOwnBase(own, { repository, reference, refOf: (found) => refOf(name, found) }, layout, signal)
}
