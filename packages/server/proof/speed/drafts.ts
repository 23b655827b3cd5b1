/**
 * `npx tsx packages/server/proof/speed/drafts.ts [ROUNDS] [STREAMS] [PIECE_MS]`: what a draft costs beside the model that writes it, and what a
 * confined session costs beside a plain one. On SQLite, in one process, with a model that takes no time. Prints one line of JSON.
 *
 * - `draft`: processor ms and ms of `POST /pipelines/generate`, beside a request that reads the caller, in turns.
 * - `firstToken`: ms from the request to the model being asked, and from its first piece to the first event that shows it.
 * - `streams`: MB that so many drafts take which are under way at once, and how long other requests take beside them and alone.
 * - `confined`: processor time of a request by a plain session, divided by that of a confined one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { draftFor } from '../../src/ai/fake/brain.js'
import { askingOf } from '../../src/ai/fake/model.js'
import { type Model, modelPort, type OpenModel } from '../../src/ai/provider/model.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { resolverPort } from '../../src/sso/dns/resolve.js'
import { SSO_OPERATIONS } from '../../src/sso/operations.js'
import { ssoRegistration } from '../../src/sso/registration.js'
import { generationApp } from '../../test/support/ai.js'
import { began, came, hostileProvider, withProvider } from '../../test/support/oidc.js'
import { signUp, verifyAddress } from '../../test/support/sign-in.js'
import { provenDomain, type SsoApp } from '../../test/support/sso.js'

const [rounds = '200', streams = '200', pieceMs = '200'] = process.argv.slice(2)
const ROUNDS = Number(rounds)
const STREAMS = Number(streams)
const WARM = Math.min(30, ROUNDS)
/** A draft of thirty pieces takes six seconds, as with a model elsewhere. */
const PIECE_MS = Number(pieceMs)
const BESIDE = Math.min(300, PIECE_MS * 2)
const PROMPT = 'node service, tests, deploy to staging'
const MIB = 1_048_576

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const at = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
const round = (value: number, digits = 1): number => Number(value.toFixed(digits))

const folder = mkdtempSync(join(tmpdir(), 'plumbline-drafts-speed-'))
const store = await openSqliteStore(join(folder, 'plumbline.db'))
const provider = await hostileProvider()
try {
  const app = await generationApp(store, {
    startMs: Date.now(),
    operations: SSO_OPERATIONS,
    domains: [ssoRegistration],
    settings: {
      BILLING_ENABLED: 'false',
      IDP_ALLOWED_ORIGINS: provider.issuer,
      AI_OPEN_MAX: '10',
    },
  })
  const dns = new Map()
  app.ports.set(resolverPort, async (name) => dns.get(name) ?? { kind: 'answered', texts: [] })
  const sso = Object.assign(app, { dns }) as unknown as SsoApp
  const ann = await signUp(app, 'ann')
  await verifyAddress(app, ann.userId)
  // A person has at most ten streams open.
  const people = [ann]
  for (let n = 1; n * 10 < STREAMS; n++) people.push(await signUp(app, `person-${n}`))

  let askedMs = 0
  let firstPieceMs = 0
  /** All at once, or a piece each so many ms. */
  const writing =
    (everyMs: number): OpenModel =>
    async (): Promise<Model> => ({
      async *ask(question) {
        askedMs = performance.now()
        const text = JSON.stringify(draftFor(askingOf(question)))
        const size = question.isStreamed ? 48 : text.length
        for (let from = 0; from < text.length; from += size) {
          if (everyMs > 0) await sleep(everyMs)
          if (from === 0) firstPieceMs = performance.now()
          yield { kind: 'text', text: text.slice(from, from + size) }
        }
        yield { kind: 'end', usage: { inputTokens: 500, outputTokens: 500 } }
      },
    })
  app.ports.set(modelPort, writing(0))

  const generate = (stream: boolean, as = ann) =>
    app.http.request(`/api/pipelines/generate${stream ? '/stream' : ''}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: PROMPT }),
    })
  const health = async () => {
    const answer = await app.call('GET', '/auth/me', { as: ann })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  }
  const draft = async () => {
    const answer = await generate(false)
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(text)
  }
  /** From the request to the question, and from the first piece to the first event behind `start`. */
  async function firstToken(): Promise<readonly [number, number]> {
    const startedMs = performance.now()
    const answer = await generate(true)
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    let shownMs = 0
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      text += Buffer.from(value).toString()
      if (shownMs === 0 && text.includes('event: partial')) shownMs = performance.now()
    }
    if (!text.includes('event: done')) throw new Error(text)
    return [askedMs - startedMs, shownMs - firstPieceMs]
  }

  interface Taken {
    readonly cpuMs: number
    readonly ms: number
  }
  const timed = async (act: () => Promise<unknown>): Promise<Taken> => {
    const [before, startedMs] = [process.cpuUsage(), performance.now()]
    await act()
    const ms = performance.now() - startedMs
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: (user + system) / 1000, ms }
  }
  /** The medians of both, in turns, so that a burden of the machine meets them alike. */
  async function inTurns(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<[Taken, Taken]> {
    const taken = [one, other].map(() => [] as Taken[])
    for (let n = -WARM; n < ROUNDS; n++) {
      for (const [index, act] of [one, other].entries()) {
        const each = await timed(act)
        if (n >= 0) taken[index]?.push(each)
      }
    }
    return taken.map((all) => ({
      cpuMs: median(all.map((each) => each.cpuMs)),
      ms: median(all.map((each) => each.ms)),
    })) as [Taken, Taken]
  }

  const [drafted, read] = await inTurns(draft, health)
  const tokens: (readonly [number, number])[] = []
  for (let n = 0; n < WARM; n++) tokens.push(await firstToken())

  async function beside(): Promise<number[]> {
    const times: number[] = []
    for (let n = 0; n < BESIDE; n++) {
      const startedMs = performance.now()
      await health()
      times.push(performance.now() - startedMs)
      await sleep(5)
    }
    return times
  }
  const alone = await beside()
  app.ports.set(modelPort, writing(PIECE_MS))
  globalThis.gc?.()
  const restMb = process.memoryUsage().rss / MIB
  const open = Array.from({ length: STREAMS }, async (_, n) => {
    const answer = await generate(true, people[n % people.length])
    const text = await answer.text()
    return text.includes('event: done')
  })
  // What beginning all of them in one moment costs is the cost of drafts; this is about those that are open.
  await sleep(5 * PIECE_MS)
  const crowd = await beside()
  const peakMb = process.memoryUsage().rss / MIB
  const finished = (await Promise.all(open)).filter(Boolean).length

  app.clock.set(Date.now())
  await provenDomain(sso, ann, 'acme.test')
  const idpId = await withProvider(sso, ann, provider.issuer, { jit: true })
  const { url, cookie, state } = await began(sso, ann.orgId)
  provider.nonce = url.searchParams.get('nonce') ?? ''
  const { data } = await came(sso, idpId, cookie, { state, code: 'c', iss: provider.issuer })
  const members = (as: { readonly accessToken: string }) => async () => {
    const answer = await app.call('GET', `/organization/${ann.orgId}`, { as })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  }
  const [plain, confined] = await inTurns(members(ann), members(data.tokens))

  const result = {
    draft: {
      processorMs: round(drafted.cpuMs),
      beyondARequestMs: round(drafted.cpuMs - read.cpuMs),
      ms: round(drafted.ms),
    },
    firstToken: {
      toTheModelMs: round(median(tokens.map(([to]) => to))),
      toTheReaderMs: round(median(tokens.map(([, to]) => to))),
    },
    streams: {
      count: STREAMS,
      finished,
      growthMb: round(peakMb - restMb),
      processMb: round(peakMb),
      othersP99Ms: round(at(crowd, 0.99)),
      aloneP99Ms: round(at(alone, 0.99)),
      ratioP50: round(median(crowd) / median(alone), 2),
    },
    confined: { ofPlain: round(plain.cpuMs / confined.cpuMs, 3), ofPlainMs: round(plain.ms / confined.ms, 3) },
  }
  console.log(JSON.stringify(result))
  if (app.errors.length > 0) throw new Error(app.errors.map(String).join('\n'))
} finally {
  await provider.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
