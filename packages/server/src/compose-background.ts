/** The jobs, schedules and services of the domains that one process mounts, and the e-mails that they send. */
import type { ComposedRuntime } from './compose-runtime.js'
import { type Background, createBackground } from './runtime/background.js'
import { sweepBlobsJob, sweepBlobsSchedule } from './runtime/blobs/sweep.js'
import { sweepRequestsJob, sweepRequestsSchedule } from './runtime/http/sweep.js'
import { tenantKeyPort } from './runtime/jobs/run-job.js'
import type { Log } from './runtime/log/log.js'
import { mailJob } from './runtime/mail/send.js'
import { mailTransport } from './runtime/mail/transport.js'
import { type Domain, listed } from './runtime/manifest.js'
import { requirePort } from './runtime/port.js'

export interface BackgroundOptions {
  readonly log: Log
  /** A number from 0 up to 1, for the spread of retries. */
  readonly random?: () => number
  /** Where the e-mails of a development server without a provider are shown. */
  readonly print?: (text: string) => void
}

export function composeBackground(
  { runtime, metrics, wakeUps }: ComposedRuntime,
  mounted: readonly Domain[],
  { log, random = Math.random, print = (text) => void process.stderr.write(text) }: BackgroundOptions,
): { readonly background: Background; close(): void } {
  const { settings, blobs } = runtime
  const transport = mailTransport(settings, print)
  const mails = mounted.flatMap((domain) => domain.mails)
  const background = createBackground({
    runtime,
    jobs: [
      mailJob(mails, transport),
      sweepRequestsJob,
      sweepBlobsJob(blobs),
      ...mounted.flatMap(({ jobs }) => listed(jobs, settings)),
    ],
    schedules: [
      sweepRequestsSchedule,
      sweepBlobsSchedule,
      ...mounted.flatMap(({ schedules }) => listed(schedules, settings)),
    ],
    services: mounted.flatMap(({ services }) => services(runtime)),
    wakeUps,
    random,
    tenantOf: requirePort(runtime, tenantKeyPort),
    metrics,
    log,
  })
  return { background, close: () => transport.close() }
}
