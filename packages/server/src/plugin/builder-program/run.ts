/** `plumbline builder`: claims builds, runs each in the sandbox, and pushes its image. */

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '../../runtime/cannot-start.js'
import { archiveReader } from '../archive/isolated.js'
import { ARCHIVE_LIMITS } from '../archive/limits.js'
import { aboutThisBuilder } from './about.js'
import { makeOwn, nameIn, takeFolder } from './alone.js'
import {
  type ApiOptions,
  type BuilderApi,
  builderApi,
  type ClaimedJob,
  NotForIt,
  NotHeld,
  untilAnswered,
} from './api.js'
import { BaseAway, BaseRefused, RegistryAway } from './base-refused.js'
import { type BaseSources, basesOf, fetchBases } from './bases.js'
import { type BuildGroups, groupsLack, openGroups } from './cgroup.js'
import { diskLack, freeMiB, isDiskFull, roomFor } from './disk.js'
import { openEgress } from './egress-proxy.js'
import { Failed, failureOf, imageTooLarge, outOfMemory } from './failed.js'
import { faultOf, orDiskFull } from './fault.js'
import { Faulty } from './fault-reasons.js'
import type { BaseInLayout } from './own-base.js'
import { pruneBases } from './prune-bases.js'
import { NoImage, PushFailed, pushImage } from './push.js'
import { type Report, reportOf } from './report.js'
import { buildInSandbox } from './sandbox.js'
import type { Limits } from './sandbox-command.js'

export interface BuilderOptions extends ApiOptions {
  readonly limits: Limits
  /** Concurrent builds. */
  readonly concurrency: number
  readonly baseRegistries: readonly string[]
  /** Hosts and ports that builds can reach; empty for no network. */
  readonly egress: readonly string[]
  /** The folder for running builds; by default the system's temporary folder. */
  readonly scratch?: string
  readonly signal: AbortSignal
  print(line: string): void
}

/** Maximum length of the path of a Unix socket. */
const SOCKET_CHARS_MAX = 107
const SOCKET = 'egress'
const PAUSE_MS = { least: 5000, most: 300_000 }
/** How long an unused base image is kept. */
const BASES_KEPT_MS = 7 * 86_400_000
/** The beginning of a log, in which the first step of the Dockerfile is named. */
const BEGUN_CHARS = 16_384
const MiB = 1024 ** 2

const TOO_LONG =
  'the build took too long: do less in it, or have an operator raise PLUGIN_BUILD_TIMEOUT_SECONDS of the server'

/** Shared by all builds of this builder. */
interface Workplace {
  readonly root: string
  readonly groups: BuildGroups | null
  /** Base images are put into one layout, one after another. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

export async function runBuilder(options: BuilderOptions): Promise<void> {
  const { name } = options
  const root = join(options.scratch ?? tmpdir(), `plumbline-builder-${name}`)
  makeOwn(root)
  if (options.egress.length > 0 && join(root, 'job-123456', SOCKET).length > SOCKET_CHARS_MAX) {
    throw new CannotStart(`the path ${root} is too long for a socket: choose a shorter --scratch or --name`)
  }
  const giveBack = takeFolder(root)
  try {
    await workIn(root, options)
  } finally {
    giveBack()
  }
}

async function workIn(root: string, options: BuilderOptions): Promise<void> {
  const { name, print } = options
  // Removes the folders that a builder of this name left when it was killed.
  for (const left of readdirSync(root)) if (left.startsWith('job-')) await remove(join(root, left))
  const groups = openGroups(nameIn(root, name))
  await groups?.sweep()
  if (groups === null) print(`no cgroup bounds a build as a whole: ${groupsLack()}`)
  mkdirSync(join(root, 'bases'), { recursive: true })
  const full = diskLack(options.limits, root)
  if (full !== null) print(full)
  const place = { root, groups, inTurn: takingTurns() }
  await Promise.all(Array.from({ length: options.concurrency }, () => work(options, place)))
}

async function work(options: BuilderOptions, place: Workplace): Promise<void> {
  const { signal, print } = options
  const api = builderApi(options, aboutThisBuilder(options, place.groups !== null))
  let pauseMs = PAUSE_MS.least
  let isAnswered = false
  /** A builder that has just started knows of no fault. */
  let isNew = true
  while (!signal.aborted) {
    try {
      // The first answer comes at once, and says whether the server is reached at all.
      const job = await api.claim(isAnswered ? 20 : 0, signal, isNew ? null : undefined)
      isNew = false
      if (!isAnswered) print(`${options.url} answers: asking for builds`)
      isAnswered = true
      if (job !== null) await build(api, job, options, place)
      pauseMs = PAUSE_MS.least
    } catch (error) {
      if (signal.aborted) return
      isAnswered = false
      print(`${error instanceof Error ? error.message : String(error)}; again in ${pauseMs / 1000} s`)
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      pauseMs = Math.min(PAUSE_MS.most, pauseMs * 2)
    }
  }
}

function takingTurns(): Workplace['inTurn'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Files of the sandbox may belong to ids of its range, which this user can remove only as root of a user namespace. */
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

async function build(api: BuilderApi, job: ClaimedJob, options: BuilderOptions, place: Workplace): Promise<void> {
  options.print(`${job.pluginName} ${job.version}: attempt of build ${job.id}`)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new Failed('timeout', false, TOO_LONG)), job.timeoutSeconds * 1000 - 2000)
  const stopped = () => stop.abort(new NotHeld('the builder is stopping'))
  options.signal.addEventListener('abort', stopped, { once: true })
  if (options.signal.aborted) stopped()
  let report: Report | null = null
  let scratch: string | null = null
  try {
    scratch = mkdtempSync(join(place.root, 'job-'))
    stop.signal.throwIfAborted()
    const secrets = job.hasSecrets ? await api.secrets(job) : []
    report = reportOf(api, job, { secrets, signal: options.signal, onStop: (reason) => stop.abort(reason) })
    const digest = await made(api, job, { options, place, scratch, secrets, report, signal: stop.signal })
    await report.close()
    await untilAnswered(options.signal, () => api.end(job, 'complete', { digest }))
    options.print(`${job.pluginName} ${job.version}: ${digest}`)
  } catch (thrown) {
    const error = stop.signal.aborted ? stop.signal.reason : orDiskFull(thrown, place.root)
    if (error instanceof Faulty || error instanceof RegistryAway)
      report?.write(`${error.message}; the build is tried again\n`)
    await report?.close().catch(() => undefined)
    await tell(api, job, error, options)
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', stopped)
    if (scratch !== null) await remove(scratch)
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
          : error instanceof BaseAway
            ? new Failed('network', false, error.message)
            : null
  try {
    if (asFailure !== null) {
      const { category, message, isPermanent: permanent } = asFailure
      // The server accepts no text with a NUL.
      const plain = message.replaceAll('\0', '').slice(0, 4000)
      await untilAnswered(signal, () => api.end(job, 'fail', { category, message: plain, permanent }))
    } else if (!(error instanceof NotHeld) || signal.aborted) {
      // An error of this builder is not the plugin's fault, so the build is released.
      const body = error instanceof NotHeld ? {} : { fault: faultOf(error) }
      await untilAnswered(signal, () => api.end(job, 'release', body))
    }
  } catch (again) {
    if (!(again instanceof NotHeld)) throw again
  }
  if (asFailure === null && !(error instanceof NotHeld)) throw error
}

interface Making {
  readonly options: BuilderOptions
  readonly place: Workplace
  readonly scratch: string
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
  readonly report: Report
  readonly signal: AbortSignal
}

/** @returns the digest of the image in the registry. */
async function made(api: BuilderApi, job: ClaimedJob, making: Making): Promise<string> {
  const { options, scratch, report, signal } = making
  const archive = join(scratch, 'archive.zip')
  await untilAnswered(signal, () => api.archiveTo(job, archive, signal))
  const context = join(scratch, 'context')
  mkdirSync(context)
  const limits = { ...ARCHIVE_LIMITS, extractedBytesMax: job.extractBytesMax }
  const read = await archiveReader().extract(archive, limits, context, job.id)
  if (read.kind === 'archive')
    throw new Failed('validation', true, read.issues[0]?.message ?? 'the archive cannot be read')
  const image = job.buildType === 'build_image' ? await built(api, job, context, making) : join(context, 'image.tar')
  report.phase = 'pushing'
  const token = cached(() => untilAnswered(signal, () => api.registryToken(job)))
  return pushImage(image, scratch, options.limits.imageMb * MiB, {
    ...job.registry,
    tag: `attempt-${job.fence}`,
    token,
    signal,
  })
}

/** @returns the path of the image file. */
async function built(api: BuilderApi, job: ClaimedJob, context: string, making: Making): Promise<string> {
  const { options, place, scratch, secrets, report, signal } = making
  const { limits, egress, baseRegistries: allowed } = options
  const own = {
    url: job.registry.url,
    token: (repository: string) => untilAnswered(signal, () => pullToken(api, job, repository)),
  }
  const known = new Map(job.bases.map(({ name, digest }) => [name, digest]))
  const view = join(scratch, 'bases')
  const sources = { layout: join(place.root, 'bases'), view, allowed, own, known, signal }
  const fetched = await place.inTurn(() => basesFor(job, sources, limits))
  const bases = [...fetched].map(([name, { digest }]) => ({ name, digest }))
  await untilAnswered(signal, () => api.heartbeat(job, 'building', bases))
  report.phase = 'building'
  const imageFile = join(scratch, 'image.tar')
  const socket = join(scratch, SOCKET)
  const note = (line: string) => report.write(line)
  let begun = ''
  const proxy = egress.length === 0 ? null : await egressFor({ socket, allowed: egress, note })
  try {
    const { dockerfile, buildArgs, smokeTest } = job
    const end = await buildInSandbox({
      ...{ context, scratch, imageFile, dockerfile, buildArgs, secrets, smokeTest, limits, signal },
      ...{ bases: view, baseRefs: new Map([...fetched].map(([name, { ref }]) => [name, ref])) },
      ...{ groups: place.groups, ...(proxy === null ? {} : { proxy: socket }) },
      onLog(bytes) {
        const text = bytes.toString()
        if (begun.length < BEGUN_CHARS) begun += text
        report.write(text)
      },
    })
    if (end.kind === 'image-too-large') throw imageTooLarge(limits)
    if (end.kind === 'out-of-memory') throw outOfMemory(limits)
    const evidence = { begun, tail: report.tail, dockerfile, given: secrets.map(({ name }) => name) }
    if (end.kind === 'failed') throw failureOf(end.code, evidence, limits, proxy !== null)
    if (end.kind === 'stopped') throw signal.reason
    return imageFile
  } finally {
    await proxy?.close()
  }
}

const egressFor = (options: Parameters<typeof openEgress>[0]) =>
  openEgress(options).catch((error: Error) => {
    throw new Faulty('egress', `the proxy of --egress cannot be started: ${error.message}`)
  })

/**
 * The base images of a build. Where a build had room before they were fetched, they are what filled the disk: that is an
 * attempt of the build, which would otherwise be given back for ever.
 */
async function basesFor(
  { dockerfile, buildArgs }: ClaimedJob,
  sources: BaseSources,
  limits: Pick<Limits, 'imageMb'>,
): Promise<Map<string, BaseInLayout>> {
  const { layout } = sources
  const free = freeMiB(layout)
  try {
    return await fetchBases(basesOf(dockerfile, buildArgs), sources)
  } catch (error) {
    // guard: base-images-that-fill-the-disk-are-an-attempt
    if (!isDiskFull(error) || free < roomFor(limits)) throw error
    throw new Failed(
      'quota',
      false,
      `the base images need more than the ${free} MiB that were free on the disk of the builder: use smaller ones, or have an operator give the builder another --scratch`,
    )
  } finally {
    pruneBases(layout, Date.now() - BASES_KEPT_MS)
  }
}

/** @throws BaseRefused for a repository from which the organization may not pull. */
async function pullToken(api: BuilderApi, job: ClaimedJob, repository: string): Promise<string> {
  try {
    return await api.registryToken(job, repository)
  } catch (error) {
    if (!(error instanceof NotForIt)) throw error
    throw new BaseRefused(`the organization of the plugin cannot pull the base image ${repository}`)
  }
}

/** A token is valid for some minutes, and an image has many blobs. */
function cached(get: () => Promise<string>): () => Promise<string> {
  let held: { readonly token: string; readonly atMs: number } | null = null
  return async () => {
    if (held === null || Date.now() - held.atMs > 30_000) held = { token: await get(), atMs: Date.now() }
    return held.token
  }
}
