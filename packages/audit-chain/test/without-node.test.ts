/** The verifier where there is no Node and no browser: a bare VM context, in which only ECMAScript exists. */
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { buildSync } from 'esbuild'
import { expect, it } from 'vitest'
import { canonicalText, formatManifest, formatVerifierKey } from '../src/index.js'
import { checkpointOf, logKey, makeLog, ORIGIN } from './support/fixture.js'

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))

it('seals, signs and verifies without any global of Node or the browser', () => {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        import * as audit from ${JSON.stringify(entry)}
        const crypto = audit.nobleCrypto
        globalThis.verify = (lines, key) => {
          const verifier = new audit.BundleVerifier(crypto, { keys: [audit.parseVerifierKey(crypto, key)] })
          for (const line of lines) verifier.pushLine(line)
          return JSON.stringify(verifier.finish())
        }
        globalThis.seal = () => {
          const event = { id: 'evt_1', action: 'org.update', createdAt: '2026-01-31T08:00:00.000Z', details: audit.scrub(crypto, { name: 'ü' }).details }
          const salt = new Uint8Array(16)
          const { record } = audit.sealEvent(crypto, { event, previous: null, identitySalt: salt, detailsSalt: salt })
          const key = audit.createSigningKey(crypto, 'k', new Uint8Array(32))
          return audit.signCheckpoint(crypto, { origin: 'o/c', size: 1, root: audit.leafHash(crypto, record.hash), head: record.hash }, [key])
        }`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
  })
  const context = createContext({})
  expect(runInContext('typeof process + typeof Buffer + typeof TextEncoder + typeof require', context)).toBe(
    'undefined'.repeat(4),
  )
  runInContext(outputFiles[0]?.text ?? '', context)
  const { rows, chain } = makeLog(5)
  const manifest = formatManifest({
    plumblineAuditBundle: 1,
    origin: ORIGIN,
    chain,
    from: 1,
    to: 5,
    complete: true,
    head: { seq: 5, hash: rows[4]?.hash ?? '' },
    anchor: null,
    checkpoints: [checkpointOf(rows, chain)],
    proofs: [],
    keys: [],
    createdAt: '2026-02-01T00:00:00.000Z',
  })
  const lines = [manifest, ...rows.map((row) => canonicalText({ ...row }))]
  const call = (text: readonly string[]) => {
    Object.assign(context, { lines: text, key: formatVerifierKey(logKey) })
    return JSON.parse(runInContext('verify(lines, key)', context))
  }
  expect(call(lines)).toMatchObject({ verdict: 'valid', coveredThrough: 5 })
  const forged = lines.map((line) => line.replace(/"actorId":"[^"]*"(?=.*"seq":3)/, '"actorId":"eve"'))
  expect(call(forged)).toMatchObject({ verdict: 'invalid', reason: 'hash_mismatch', brokenSeq: 3 })
  expect(runInContext('seal()', context)).toMatch(/^o\/c\n1\n/)
})
