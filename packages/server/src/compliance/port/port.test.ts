/** Goal: any answer that is not a verdict stops the change; no answer of the service passes by accident. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ComplianceApp, complianceApp, noLatest, signUp } from '../../../test/support/compliance.js'
import { testSettings } from '../../../test/support/settings.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import type { PrepareContext } from '../../runtime/operation/context.js'
import { Ports } from '../../runtime/port.js'
import {
  type ComplianceAnswer,
  type CompliancePort,
  type ComplianceRequest,
  compliancePort,
  requireCompliance,
} from '../../runtime/records/compliance.js'
import { BadSettings } from '../../runtime/settings/bad-settings.js'
import type { Store } from '../../runtime/store/db.js'
import { choosePort } from './choose.js'
import { httpCompliance } from './http.js'
import { inProcessCompliance } from './in-process.js'

let store: Store
let kit: ComplianceApp
let ada: SignedIn
let server: Server
let url: string
/** How the fake service answers, request by request. */
let answers: ((body: string) => { status: number; text: string } | 'reset' | 'silent')[] = []
let asked: { path: string; org: string | undefined; body: string; token: string | undefined }[] = []
let refreshed = 0

beforeAll(async () => {
  store = await sqliteStore()
  kit = await complianceApp(store)
  ada = await signUp(kit.app, 'ada')
  await kit.call(ada, 'POST', '/rules', noLatest())
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { authorization, 'x-org-id': org } = request.headers
      asked.push({ path: request.url ?? '', org: org as string, body, token: authorization })
      const answer = (answers.length > 1 ? answers.shift() : answers[0])?.(body) ?? 'reset'
      if (answer === 'reset') request.socket.destroy()
      else if (answer !== 'silent') {
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        response.end(answer.text)
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await store.close()
})
beforeEach(() => {
  asked = []
  refreshed = 0
})

const request: ComplianceRequest = {
  target: 'plugin',
  action: 'create',
  attributes: { version: 'latest' },
  entityId: null,
  entityName: 'mine',
}
const context = (compliance: CompliancePort): PrepareContext =>
  ({
    runtime: { ...kit.app.runtime, ports: new Ports().set(compliancePort, compliance) },
    authority: { org: { id: ada.orgId, parentOrgId: null } },
    actor: { id: ada.userId },
    request: { requestId: 'r' },
    nowMs: kit.app.clock.now(),
  }) as unknown as PrepareContext

const overHttp = (): CompliancePort =>
  httpCompliance({
    url,
    token: async (refused) => {
      if (refused !== undefined) refreshed += 1
      return `token${refreshed}`
    },
  })
const json = (status: number, value: unknown) => () => ({ status, text: JSON.stringify(value) })
const text = (status: number, content: string) => () => ({ status, text: content })

const PASS = {
  passed: true,
  blocked: false,
  violations: [],
  warnings: [],
  observed: [],
  rulesEvaluated: 1,
  rulesSkipped: 0,
  exemptionsApplied: [],
  skipped: [],
}
const good = json(200, { success: true, statusCode: 200, data: { ...PASS, checkId: 'x' } })

describe('in this process', () => {
  it('blocks what the rules block, with its entry in the log', async () => {
    const before = (await kit.call(ada, 'GET', '/audit')).data.pagination.total
    await expect(requireCompliance(context(inProcessCompliance), request)).rejects.toMatchObject({
      code: 'COMPLIANCE_VIOLATION',
      details: { violations: [{ ruleName: 'no latest' }] },
    })
    const entries = (await kit.call(ada, 'GET', '/audit')).data
    expect(entries.pagination.total).toBe(before + 1)
    expect(entries.entries[0]).toMatchObject({ action: 'create', result: 'block', entityName: 'mine' })
  })

  it('a dry run has no entry', async () => {
    const before = (await kit.call(ada, 'GET', '/audit')).data.pagination.total
    await requireCompliance(context(inProcessCompliance), { ...request, isDryRun: true }).catch(() => undefined)
    expect((await kit.call(ada, 'GET', '/audit')).data.pagination.total).toBe(before)
  })

  it('a store that fails, and attributes beyond the limits, stop the change', async () => {
    const failing = { ...store, tenant: () => ({ read: () => Promise.reject(new Error('down')) }) }
    const broken = context(inProcessCompliance)
    Object.assign(broken.runtime, { store: failing })
    await expect(requireCompliance(broken, request)).rejects.toMatchObject({ code: 'COMPLIANCE_SERVICE_UNAVAILABLE' })
    const attributes = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, 1]))
    await expect(requireCompliance(context(inProcessCompliance), { ...request, attributes })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })
})

describe('over HTTP', () => {
  it('asks as a service for the organization, and gives the verdict on', async () => {
    answers = [good]
    const verdict = await requireCompliance(context(overHttp()), request)
    expect(verdict).toMatchObject({ passed: true })
    expect(asked).toEqual([
      {
        path: '/compliance/validate/plugin',
        org: ada.orgId,
        token: 'Bearer token0',
        body: JSON.stringify({ attributes: request.attributes, action: 'create', entityName: 'mine' }),
      },
    ])
    await requireCompliance(context(overHttp()), { ...request, isDryRun: true })
    expect(asked.at(-1)?.path).toBe('/compliance/validate/plugin/dry-run')
  })

  it('tries once more after a broken connection, a busy service and a token that is no longer taken', async () => {
    for (const first of [() => 'reset' as const, json(503, {}), json(401, {})]) {
      answers = [first, good]
      asked = []
      expect(await requireCompliance(context(overHttp()), request)).toMatchObject({ passed: true })
      expect(asked).toHaveLength(2)
    }
    expect(refreshed).toBe(1)
  })

  it('takes a verdict of a newer version without what it says beside', async () => {
    const skipped = [{ ruleId: 'r', ruleName: 'r', reason: 'exempt', since: 'later' }]
    const newer = { ...PASS, skipped, confidence: 1, checkId: 'x' }
    answers = [json(200, { success: true, data: newer, trace: {} })]
    const verdict = await requireCompliance(context(overHttp()), request)
    expect(verdict).toEqual({ ...PASS, skipped: [{ ruleId: 'r', ruleName: 'r', reason: 'exempt' }] })
  })

  it('limits that the service names are the answer to the client', async () => {
    answers = [json(400, { success: false, details: { limit: 'depth', max: 10, actual: 11 } })]
    await expect(requireCompliance(context(overHttp()), request)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it.each([
    ['a broken connection, twice', () => 'reset' as const],
    ['503, twice', json(503, {})],
    ['401, twice', json(401, {})],
    ['400 for another reason', json(400, { success: false, details: {} })],
    ['403', json(403, { success: false })],
    ['404', json(404, { success: false })],
    ['500', json(500, { success: false })],
    ['500 with a passing verdict', json(500, { success: true, data: PASS })],
    ['no JSON', text(200, '<html>ok</html>')],
    ['nothing', text(200, '')],
    ['null', text(200, 'null')],
    ['an empty object', text(200, '{}')],
    ['a verdict without its envelope', json(200, PASS)],
    ['a verdict without violations', json(200, { success: true, data: { passed: true, blocked: false } })],
    ['a pass with a violation', json(200, { success: true, data: { ...PASS, violations: [{}] } })],
    ['a block without a violation', json(200, { success: true, data: { ...PASS, passed: false, blocked: true } })],
    ['a verdict without end', text(200, `{"success":true,"data":"${'x'.repeat(5 << 20)}"}`)],
    ['a redirect', () => ({ status: 302, text: '' })],
  ])('stops the change at %s', async (_what, answer) => {
    answers = [answer]
    await expect(requireCompliance(context(overHttp()), request)).rejects.toMatchObject({
      code: 'COMPLIANCE_SERVICE_UNAVAILABLE',
    })
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  it('stops the change when there is no answer in time', async () => {
    answers = [() => 'silent']
    const signal = AbortSignal.timeout(50)
    const port = overHttp()
    const answer: Promise<ComplianceAnswer> = port.check(context(port), request, signal)
    await expect(answer).rejects.toThrow()
    expect(asked).toHaveLength(1)
  })
})

describe('the way that a process takes', () => {
  const choose = (values: Record<string, string>, modules: readonly string[]) =>
    choosePort({ ...testSettings(values), PLUMBLINE_MODULES: modules as never })
  const service = { PLUMBLINE_SERVICE_CLIENT_ID: 'plc_x', PLUMBLINE_SERVICE_CLIENT_SECRET: 'secret' }

  it('is its own domain where it is mounted, else the host that is set', () => {
    expect(choose({}, ['identity', 'compliance', 'plugin'])).toBe(inProcessCompliance)
    expect(choose({}, ['identity'])).toBeUndefined()
    const away = choose({ COMPLIANCE_SERVICE_HOST: 'https://c.test/api', ...service }, ['plugin'])
    expect(away).not.toBe(inProcessCompliance)
    expect(away).toBeDefined()
  })

  it.each(['pipeline', 'plugin'])('a process with the module %s and no way to a verdict does not start', (module) => {
    expect(() => choose({}, ['identity', module])).toThrow(BadSettings)
    expect(() => choose({}, ['identity', module])).toThrow('COMPLIANCE_SERVICE_HOST')
    expect(() => choose({ COMPLIANCE_SERVICE_HOST: 'https://c.test/api' }, [module])).toThrow(BadSettings)
  })
})
