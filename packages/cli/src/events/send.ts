/** `plumbline events send`: one run of a pipeline. */
import { randomUUID } from 'node:crypto'
import { type CommandRun, UsageError } from '../command.js'
import { openSession, telling } from '../remote/session.js'
import { tellEvents } from './tell.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const text = (name: string): string | undefined => {
      const value = invocation.options[name]
      return typeof value === 'string' && value !== '' ? value : undefined
    }
    const pipelineId = text('pipeline')
    if (pipelineId === undefined)
      throw new UsageError('`--pipeline` is missing', 'name the pipeline: `plumbline pipelines list` shows ids')
    const completedAt = text('completed') ?? new Date().toISOString()
    const status = text('status') ?? 'SUCCEEDED'
    const common = {
      pipelineId,
      eventSource: 'generic',
      executionId: text('execution') ?? randomUUID(),
      status,
      startedAt: text('started') ?? completedAt,
      ...(status === 'STARTED' ? {} : { completedAt }),
      commitSha: text('sha'),
      commitTimestamp: text('committed'),
      errorMessage: text('error'),
    }
    const environment = text('environment')
    const runOf = { ...common, eventType: 'PIPELINE' }
    const events =
      environment === undefined
        ? [runOf]
        : [runOf, { ...common, eventType: 'STAGE', stageName: text('stage') ?? 'Deploy', environment }]
    return tellEvents(openSession(invocation, io), io, events, () => 'the event')
  })
