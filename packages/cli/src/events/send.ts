/** `plumbline events send`: one run of a pipeline. */
import { randomUUID } from 'node:crypto'
import { type CommandRun, UsageError } from '../command.js'
import { instantOf } from '../input/instant.js'
import { openSession, telling } from '../remote/session.js'
import { tellEvents } from './tell.js'

/** What the user types for a field. */
const FLAGS: Readonly<Record<string, string>> = {
  pipelineId: '--pipeline',
  executionId: '--execution',
  startedAt: '--started',
  completedAt: '--completed',
  commitSha: '--sha',
  commitTimestamp: '--committed',
  environment: '--environment',
  stageName: '--stage',
  errorMessage: '--error',
}

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const text = (name: string): string | undefined => {
      const value = invocation.options[name]
      return typeof value === 'string' && value !== '' ? value : undefined
    }
    const pipelineId = text('pipeline')
    if (pipelineId === undefined)
      throw new UsageError('`--pipeline` is missing', 'name the pipeline: `plumbline pipelines list` shows ids')
    const instant = (name: string): string | undefined => {
      const value = text(name)
      return value === undefined ? undefined : instantOf(value, `--${name}`)
    }
    const completedAt = instant('completed') ?? io.now().toISOString()
    const status = text('status') ?? 'SUCCEEDED'
    const common = {
      pipelineId,
      eventSource: 'generic',
      executionId: text('execution') ?? randomUUID(),
      status,
      startedAt: instant('started') ?? completedAt,
      ...(status === 'STARTED' ? {} : { completedAt }),
      commitSha: text('sha'),
      commitTimestamp: instant('committed'),
      errorMessage: text('error'),
    }
    const environment = text('environment')
    const runOf = { ...common, eventType: 'PIPELINE' }
    const events =
      environment === undefined
        ? [runOf]
        : [runOf, { ...common, eventType: 'STAGE', stageName: text('stage') ?? 'Deploy', environment }]
    return tellEvents(
      openSession(invocation, io),
      io,
      events,
      () => 'the event',
      (field) => FLAGS[field] ?? field,
    )
  })
