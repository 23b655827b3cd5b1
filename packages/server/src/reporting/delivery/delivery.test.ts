/** Published examples of deliveries are read; broken variants of them are either read or ignored, and never fail. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { problems } from '../../runtime/operation/schema.js'
import { SOURCE_FORMATS, type SourceFormat } from '../formats.js'
import { IncidentBody } from '../incident/schema.js'
import { EventItem } from '../ingest/schema.js'
import { type Heard, instantAt, namesOf } from './common-form.js'
import { READERS } from './format.js'

interface Published {
  readonly format: SourceFormat
  readonly event?: string
  readonly file: string
  readonly payload: Record<string, unknown>
}
const fixture = (name: string): readonly Published[] =>
  JSON.parse(readFileSync(new URL(`../../../test/fixtures/${name}-deliveries.json`, import.meta.url), 'utf8'))
    .deliveries
const published = fixture('published')
const gitlab = fixture('gitlab')
const deliveries = [...published, ...gitlab]
const shown = (of: readonly Published[]) =>
  Object.fromEntries(of.map((each) => [each.file.split('/').slice(-2).join('/'), shortOf(read(each))]))

const headersOf = (event = '') => new Headers(event === '' ? {} : { 'x-github-event': event })
const read = ({ format, event, payload }: Published): Heard => READERS[format]({ payload, headers: headersOf(event) })

const shortOf = (heard: Heard): string =>
  [
    ...heard.runs.map(({ ref, item }) => {
      const { eventType, status, executionId, stageName, environment } = item
      return [ref, eventType, status, executionId, stageName, environment].filter(Boolean).join(' ')
    }),
    ...heard.commits.map(({ sha }) => `commit ${sha.slice(0, 7)}`),
    ...heard.incidents.map(
      ({ incidentId, environment, resolvedAt }) => `incident ${incidentId} ${environment} ${resolvedAt != null}`,
    ),
    ...(heard.ignored === null ? [] : [`ignored ${heard.ignored}`]),
  ].join('; ')

it('reads what GitHub and CDEvents publish', () => {
  expect(shown(published)).toMatchInlineSnapshot(`
    {
      "conformance/artifact_packaged.json": "ignored is not a type that reports use",
      "conformance/incident_detected.json": "incident incident-123 prod1 false",
      "conformance/incident_reported.json": "incident incident-123 prod1 false",
      "conformance/incident_resolved.json": "incident incident-123 prod1 true",
      "conformance/pipelinerun_finished.json": "/event/source/123 | mypipeline PIPELINE FAILED mySubject123",
      "conformance/pipelinerun_queued.json": "/event/source/123 | mypipeline PIPELINE STARTED mySubject123",
      "conformance/pipelinerun_started.json": "/event/source/123 | mypipeline PIPELINE STARTED mySubject123",
      "conformance/service_deployed.json": "/event/source/123 STAGE SUCCEEDED 4c8cb7dd-3448-41de-8768-eec704e2829b deploy mySubject123 test123",
      "conformance/service_published.json": "ignored is not a type that reports use",
      "conformance/service_removed.json": "ignored is not a type that reports use",
      "conformance/service_rolledback.json": "/event/source/123 STAGE SUCCEEDED 4c8cb7dd-3448-41de-8768-eec704e2829b deploy mySubject123 test123",
      "conformance/service_upgraded.json": "/event/source/123 STAGE SUCCEEDED 4c8cb7dd-3448-41de-8768-eec704e2829b deploy mySubject123 test123",
      "conformance/taskrun_finished.json": "/event/source/123 STAGE FAILED mySubject123 myTask",
      "conformance/taskrun_started.json": "/event/source/123 STAGE STARTED mySubject123 myTask",
      "deployment_status/payload.json": "github.com/codertocat/hello-world STAGE SUCCEEDED github-deployment-145988746 deploy production production",
      "issues/labeled.payload.json": "ignored has no label \`incident\`",
      "ping/payload.json": "ignored the webhook is set up",
      "push/1.payload.json": "ignored brings no commit",
      "push/with-new-branch.payload.json": "commit 6113728",
      "workflow_job/completed.failure.with-organization.payload.json": "github.com/codertocat/hello-world STAGE FAILED 2202229078 linters",
      "workflow_job/completed.success.with-organization.payload.json": "github.com/codertocat/hello-world STAGE SUCCEEDED 2202229078 linters",
      "workflow_job/queued.with-deployment.payload.json": "github.com/lineville/elastic-machines-testing STAGE STARTED 4747967848 test",
      "workflow_run/completed.payload.json": "github.com/octo-org/octo-repo PIPELINE SUCCEEDED 289782451",
      "workflow_run/requested.payload.json": "github.com/octo-org/octo-repo PIPELINE STARTED 289782451",
    }
  `)
})

it('reads what GitLab describes', () => {
  expect(shown(gitlab)).toMatchInlineSnapshot(`
    {
      "deployment/api": "gitlab.example.com/acme/shop STAGE SUCCEEDED gitlab-deployment-77 deploy production production",
      "deployment/job": "ignored is about a job, which the pipeline event covers",
      "deployment/running": "gitlab.example.com/acme/shop STAGE STARTED gitlab-deployment-79 deploy production production",
      "deployment/trigger-job": "gitlab.example.com/acme/shop STAGE FAILED gitlab-deployment-78 deploy production production",
      "incident/closed": "incident gitlab.example.com/acme/shop#23 production true",
      "incident/open": "incident gitlab.example.com/acme/shop#23 production false",
      "issue/task": "ignored is not an incident",
      "job/failed": "ignored is not a type that reports use",
      "merge_request/merged": "ignored is not a type that reports use",
      "pipeline/downstream": "gitlab.example.com/acme/shop PIPELINE FAILED 3102; gitlab.example.com/acme/shop ACTION FAILED 3102 test",
      "pipeline/running": "gitlab.example.com/acme/shop PIPELINE STARTED 3101; gitlab.example.com/acme/shop ACTION STARTED 3101 build",
      "pipeline/success": "gitlab.example.com/acme/shop PIPELINE SUCCEEDED 3101; gitlab.example.com/acme/shop ACTION SUCCEEDED 3101 deploy prod-eu; gitlab.example.com/acme/shop ACTION SUCCEEDED 3101 deploy; gitlab.example.com/acme/shop ACTION SUPERSEDED 3101 test; gitlab.example.com/acme/shop ACTION SUCCEEDED 3101 test; gitlab.example.com/acme/shop ACTION SUCCEEDED 3101 build",
      "push/branch-deleted": "ignored brings no commit",
      "push/main": "commit b8e1f0c",
      "tag_push/v1": "ignored is not a type that reports use",
    }
  `)
  const [success] = gitlab as [Published]
  const [whole, production, , lint] = read(success).runs.map(({ item }) => item)
  expect(whole).toMatchObject({ startedAt: '2026-03-01T08:05:00.000Z', commitTimestamp: '2026-03-01T08:00:00.000Z' })
  expect(production).toMatchObject({ environmentTier: 'production', completedAt: '2026-03-01T08:25:00.000Z' })
  expect(lint).toMatchObject({ actionName: 'lint', status: 'SUPERSEDED', errorMessage: 'script_failure' })
})

it('makes nothing but valid events and incidents of anything, and never fails', () => {
  const paths = (value: unknown, at: string[] = []): string[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [[...at, key], ...paths(inner, [...at, key])])
      : []
  const spoiled = fc.oneof(
    fc.constantFrom(
      null,
      '',
      0,
      -1,
      1e300,
      [],
      {},
      'x'.repeat(3000),
      '\u0000\u202e\n',
      '__proto__',
      true,
      '2026-13-45T99:99:99Z',
    ),
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary' }),
  )
  let readable = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...deliveries),
      fc.array(fc.tuple(fc.nat(), spoiled), { minLength: 1, maxLength: 4 }),
      fc.option(fc.constantFrom(...SOURCE_FORMATS), { freq: 1 }),
      (drawn, changes, other) => {
        const payload = structuredClone(drawn.payload)
        const all = paths(payload)
        for (const [nth, value] of changes) {
          const path = all[nth % all.length] as string[]
          const holder = path
            .slice(0, -1)
            .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], payload)
          if (typeof holder === 'object' && holder !== null)
            (holder as Record<string, unknown>)[path.at(-1) as string] = value
        }
        const heard = read({ ...drawn, format: other ?? drawn.format, payload })
        for (const { ref, item } of heard.runs) {
          expect(ref).not.toBe('')
          expect(problems(EventItem, { pipelineId: '0190a1b2-0000-7000-8000-00000000000a', ...item }, '')).toEqual([])
        }
        for (const { environment, ...incident } of heard.incidents) {
          expect(problems(IncidentBody, { environment: environment || 'x', ...incident }, '')).toEqual([])
        }
        for (const { sha, committedAtMs } of heard.commits)
          expect([/^[0-9a-f]{7,64}$/.test(sha), Number.isSafeInteger(committedAtMs)]).toEqual([true, true])
        if (heard.ignored === null) readable++
      },
    ),
    { numRuns: 1000 },
  )
  expect(readable).toBeGreaterThan(100)
})

it('reads the times that forges write', () => {
  const said = (value: unknown) => instantAt({ value }, 'value')
  expect(said('2016-08-12 15:23:28 UTC')).toBe('2016-08-12T15:23:28.000Z')
  expect(said('2021-04-28 21:50:00 +0200')).toBe('2021-04-28T19:50:00.000Z')
  expect(said('2023-03-20T14:27:05.315384Z')).toBe('2023-03-20T14:27:05.315Z')
  expect(said('2023-03-20T14:27:05+02:00')).toBe('2023-03-20T12:27:05.000Z')
  expect(said(1_700_000_000)).toBe('2023-11-14T22:13:20.000Z')
  expect(said(1_700_000_000_000)).toBe('2023-11-14T22:13:20.000Z')
  expect(['', 'tomorrow', '2023-02-30T', null, Number.NaN, {}].map(said)).toEqual(Array(6).fill(undefined))
})

it('knows a repository by its host and without it, the closest name first', () => {
  expect(namesOf('github.com/acme/shop')).toEqual(['github.com/acme/shop', 'acme/shop'])
  expect(namesOf('tekton/ns | shop-ci')).toEqual(['shop-ci', 'tekton/ns'])
  expect(namesOf('acme/shop')).toEqual(['acme/shop'])
})
