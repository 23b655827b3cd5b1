/** `plumbline builder`: asks for builds, makes one after another in the sandbox, and hands each image over. */

import { spawn } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createArchiveReader } from '../archive/isolated.js'
import { ARCHIVE_LIMITS } from '../archive/limits.js'
import { type ApiOptions, type BuilderApi, builderApi, type ClaimedJob, NotForIt, NotHeld } from './api.js'
import { BaseRefused } from './base-refused.js'
import { basesOf, fetchBases } from './bases.js'
import { NoImage, PushFailed, pushImage } from './push.js'
import { type Report, reportOf } from './report.js'
import { buildInSandbox, type Limits, SMOKE_CODE } from './sandbox.js'

export interface BuilderOptions extends ApiOptions {
  readonly limits: Limits
  readonly baseRegistries: readonly string[]
  /** Where builds lie while they are made; the system's folder for such things when left out. */
  readonly scratch?: string
  readonly signal: AbortSignal
  print(line: string): void
}

const PAUSE_MS = { least: 5000, most: 300_000 }
const MiB = 1024 ** 2

/** What became of a build, for the server. */
class Failed extends Error {
  constructor(
    readonly category: string,
    readonly isPermanent: boolean,
    message: string,
  ) {
    super(message)
  }
}

export async function runBuilder(options: BuilderOptions): Promise<void> {
  const { signal, print, name } = options
  const api = builderApi(options)
  const root = join(options.scratch ?? tmpdir(), `plumbline-builder-${name}`)
  mkdirSync(root, { recursive: true, mode: 0o711 })
  checkOwn(root)
  // What a builder of this name left when it was killed.
  for (const left of readdirSync(root)) if (left.startsWith('job-')) await remove(join(root, left))
  mkdirSync(join(root, 'bases'), { recursive: true })
  let pauseMs = PAUSE_MS.least
  while (!signal.aborted) {
    try {
      const job = await api.claim(20)
      if (job !== null) await build(api, job, options, root)
      pauseMs = PAUSE_MS.least
    } catch (error) {
      if (signal.aborted) return
      print(`${error instanceof Error ? error.message : String(error)}; again in ${pauseMs / 1000} s`)
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
      })
      pauseMs = Math.min(PAUSE_MS.most, pauseMs * 2)
    }
  }
}

/** The folder of the system for such things is everybody's: what stands there under our name may be another's. */
export function checkOwn(folder: string): void {
  const found = lstatSync(folder)
  // guard: the-scratch-of-a-builder-is-its-own
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(
      `${folder} belongs to somebody else, or others may write there: remove it, or name another --scratch`,
    )
  }
}

/** Files of the sandbox may belong to ids of its range, which this user removes as their root alone. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(
    () =>
      new Promise<void>((resolve) => {
        const child = spawn('unshare', ['--user', '--map-root-user', '--map-auto', 'rm', '-rf', folder], {
          stdio: 'ignore',
        })
        child.once('close', () => resolve())
        child.once('error', () => resolve())
      }),
  )
}

async function build(api: BuilderApi, job: ClaimedJob, options: BuilderOptions, root: string): Promise<void> {
  options.print(`${job.pluginName} ${job.version}: attempt of build ${job.id}`)
  const scratch = mkdtempSync(join(root, 'job-'))
  const stop = new AbortController()
  const timer = setTimeout(
    () => stop.abort(new Failed('timeout', false, 'the build took too long')),
    Date.parse(job.timeoutAt) - Date.now() - 2000,
  )
  const stopped = () => stop.abort(new NotHeld('the builder is stopping'))
  options.signal.addEventListener('abort', stopped, { once: true })
  let report: Report | null = null
  try {
    const secrets = job.hasSecrets ? await api.secrets(job) : []
    report = reportOf(api, job, secrets, (reason) => stop.abort(reason))
    const digest = await made(api, job, { options, root, scratch, secrets, report, signal: stop.signal })
    await report.close()
    await api.end(job, 'complete', { digest })
    options.print(`${job.pluginName} ${job.version}: ${digest}`)
  } catch (thrown) {
    const error = stop.signal.aborted ? stop.signal.reason : thrown
    await report?.close().catch(() => undefined)
    await tell(api, job, error, options)
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', stopped)
    await remove(scratch)
  }
}

async function tell(
  api: BuilderApi,
  job: ClaimedJob,
  error: unknown,
  { signal, print }: BuilderOptions,
): Promise<void> {
  print(`${job.pluginName} ${job.version}: ${error instanceof Error ? error.message : String(error)}`)
  const asFailure =
    error instanceof Failed
      ? error
      : error instanceof BaseRefused || error instanceof NoImage
        ? new Failed('validation', true, error.message)
        : error instanceof PushFailed
          ? new Failed('network', error.isPermanent, error.message)
          : null
  try {
    if (asFailure !== null) {
      const { category, message, isPermanent: permanent } = asFailure
      await api.end(job, 'fail', { category, message: message.slice(0, 4000), permanent })
    } else if (!(error instanceof NotHeld) || signal.aborted) {
      // A fault of this builder is not the plugin's.
      await api.end(job, 'release')
    }
  } catch (again) {
    if (!(again instanceof NotHeld)) throw again
  }
  if (asFailure === null && !(error instanceof NotHeld)) throw error
}

interface Making {
  readonly options: BuilderOptions
  readonly root: string
  readonly scratch: string
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
  readonly report: Report
  readonly signal: AbortSignal
}

/** @returns the digest of the image in the registry. */
async function made(api: BuilderApi, job: ClaimedJob, making: Making): Promise<string> {
  const { options, root, scratch, secrets, report, signal } = making
  const { limits } = options
  const archive = join(scratch, 'archive.zip')
  await api.archiveTo(job, archive, signal)
  const context = join(scratch, 'context')
  mkdirSync(context)
  const reader = createArchiveReader()
  try {
    const read = await reader.extract(archive, { ...ARCHIVE_LIMITS, extractedBytesMax: job.extractBytesMax }, context)
    if (read.kind === 'archive')
      throw new Failed('validation', true, read.issues[0]?.message ?? 'the archive cannot be read')
  } finally {
    reader.close()
  }
  let image = join(context, 'image.tar')
  if (job.buildType === 'build_image') {
    const bases = join(root, 'bases')
    const names = basesOf(job.dockerfile, job.buildArgs)
    const own = { url: job.registry.url, token: (repository: string) => pullToken(api, job, repository) }
    const baseRefs = await fetchBases(names, { layout: bases, allowed: options.baseRegistries, own, signal })
    report.phase = 'building'
    image = join(scratch, 'image.tar')
    const { dockerfile, buildArgs, smokeTest } = job
    const end = await buildInSandbox({
      ...{
        context,
        bases,
        scratch,
        imageFile: image,
        dockerfile,
        buildArgs,
        baseRefs,
        secrets,
        smokeTest,
        limits,
        signal,
      },
      onLog: (text) => report.write(text.toString()),
    })
    if (end.kind === 'image-too-large') throw new Failed('quota', true, `the image has more than ${limits.imageMb} MiB`)
    if (end.kind === 'failed') throw failureOf(end.code, report.tail, limits)
    if (end.kind === 'stopped') throw signal.reason
  }
  report.phase = 'pushing'
  const token = cached(() => api.registryToken(job))
  return pushImage(image, scratch, limits.imageMb * MiB, {
    ...job.registry,
    tag: `attempt-${job.fence}`,
    token,
    signal,
  })
}

/** @throws BaseRefused for a repository that the organization may not pull from. */
async function pullToken(api: BuilderApi, job: ClaimedJob, repository: string): Promise<string> {
  try {
    return await api.registryToken(job, repository)
  } catch (error) {
    if (!(error instanceof NotForIt)) throw error
    throw new BaseRefused(`the organization of the plugin may not pull the base image ${repository}`)
  }
}

/** A token is good for some minutes, and an image has many blobs. */
function cached(get: () => Promise<string>): () => Promise<string> {
  let held: { readonly token: string; readonly atMs: number } | null = null
  return async () => {
    if (held === null || Date.now() - held.atMs > 30_000) held = { token: await get(), atMs: Date.now() }
    return held.token
  }
}

/** What the end of a build's log says of its failure. */
export function failureOf(code: number | null, tail: string, limits: Pick<Limits, 'diskMb'>): Failed {
  const last = tail.trim().split('\n').slice(-3).join('\n').slice(-1500)
  if (code === SMOKE_CODE) return new Failed('docker-build', true, `the smoke test failed: ${last}`)
  if (/No space left on device|Input\/output error/i.test(tail)) {
    return new Failed('quota', true, `the build wrote more than ${limits.diskMb} MiB: ${last}`)
  }
  if (
    /unknown instruction|dockerfile parse error|parsing Dockerfile|no FROM statement|parse error on line/i.test(last)
  ) {
    return new Failed('validation', true, `the Dockerfile is wrong: ${last}`)
  }
  if (/image not known|no such image/i.test(last)) {
    return new Failed('validation', true, `a base image is not known: ${last}`)
  }
  if (/setpriv|unshare|bwrap|newuidmap/.test(last) && !/STEP 1/.test(tail)) {
    throw new Error(`the sandbox does not start: ${last}`)
  }
  return new Failed('docker-build', false, last === '' ? `the build ended with ${code}` : last)
}
