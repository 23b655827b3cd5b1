/** Each organization has a limit of parked events. */
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { sqliteStore } from '../../../test/support/stores.js'
import { type RunEvent, readEvent } from '../ingest/event.js'
import { PARKED_MAX, parkEvents } from './park.js'

it('keeps at most 10,000 events of an organization waiting', async () => {
  const store = await sqliteStore()
  const sent = {
    pipelineId: '0190a1b2-0000-7000-8000-00000000000a',
    eventType: 'PIPELINE' as const,
    status: 'SUCCEEDED',
    startedAt: '2026-11-21T08:00:00Z',
  }
  const nowMs = Date.parse('2026-11-21T10:00:00Z')
  const waiting = (orgId: string, from: number, length: number) =>
    store.system.write((tx) =>
      parkEvents(
        tx,
        Array.from({ length }, (_, at) => ({
          pipelineRef: 'x',
          event: readEvent({ ...sent, executionId: `run-${from + at}` }, '', nowMs) as RunEvent,
        })),
        { orgId, sourceId: '', nowMs },
      ),
    )
  expect(await waiting('one', 0, 2)).toEqual([true, true])
  await store.system.write((tx) =>
    tx.rows(sql`INSERT INTO report_parked (org_id, pipeline_ref, source_id, key, hash, received_ms, event)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PARKED_MAX - 3})
      SELECT 'one', 'y', '', i, '', 0, '{}' FROM n RETURNING 1`),
  )
  // What is there comes again with what is new: only the new ones take room.
  expect(await waiting('one', 0, 5)).toEqual([true, true, true, false, false])
  expect(await waiting('one', 1, 3)).toEqual([true, true, false])
  expect(await waiting('two', 0, 3)).toEqual([true, true, true])
  await store.close()
})
