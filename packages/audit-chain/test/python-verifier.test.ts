/**
 * Holds the Python verifier, which was written from the documented format alone, against this package: on honest bundles
 * of every shape, and on each of them damaged in some way. Verdict, reason and place must agree.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BundleVector } from '../proof/bundle-vectors.js'
import { honestCase } from '../proof/honest.js'
import { BundleVerifier, canonicalText, formatManifest, formatVerifierKey, type VerifyReport } from '../src/index.js'
import { crypto, logKey, Random, witnessKey } from './support/fixture.js'

const script = fileURLToPath(new URL('../../../examples/verify-audit/verify.py', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0
const mustRun = process.env.PLUMBLINE_REQUIRE_SERVICES === '1'

/** Runs the script in one interpreter for many bundles; starting one for each would take most of the time. */
const DRIVER = `
import sys, json, runpy
sys.argv = ['verify.py']
module = runpy.run_path(${JSON.stringify(script)}, run_name='verifier')
for line in sys.stdin:
    path, keys, kept = json.loads(line)
    try: print(json.dumps(module['verify'](path, [module['parse_key'](key) for key in keys], kept)), flush=True)
    except Exception as error: print(json.dumps({'crash': repr(error)}), flush=True)
`

describe.skipIf(!hasPython && !mustRun)('the Python verifier (python3 must be installed)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-python-'))
  const python = spawn('python3', ['-c', DRIVER])
  const answers: ((line: string) => void)[] = []

  beforeAll(() => {
    let rest = ''
    python.stdout.setEncoding('utf8').on('data', (data: string) => {
      const lines = (rest + data).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) answers.shift()?.(line)
    })
  })
  afterAll(() => {
    python.stdin.end()
    rmSync(folder, { recursive: true, force: true })
  })

  async function ask(text: string | Buffer, keys: readonly string[], kept: readonly string[]): Promise<unknown> {
    const file = join(folder, 'bundle.jsonl')
    writeFileSync(file, text)
    const answer = new Promise<string>((resolve) => answers.push(resolve))
    python.stdin.write(`${JSON.stringify([file, keys, kept])}\n`)
    return JSON.parse(await answer)
  }

  function verify(text: string, keys: 'none' | 'log' | 'all', kept: readonly string[]): VerifyReport {
    const known = { none: [], log: [logKey], all: [logKey, witnessKey] }[keys]
    const verifier = new BundleVerifier(crypto, { keys: known, checkpoints: kept })
    const lines = text.replace(/^\ufeff/, '').split('\n')
    for (const [index, line] of lines.entries()) verifier.pushLine(line, index === lines.length - 1)
    return verifier.finish()
  }

  it('gives the published answers', async () => {
    const { bundles } = JSON.parse(readFileSync(new URL('../vectors/bundles.json', import.meta.url), 'utf8')) as {
      bundles: BundleVector[]
    }
    for (const { name, file, keys, checkpoints, verdict, why, brokenSeq, coveredThrough } of bundles) {
      const expected = {
        valid: { coveredThrough },
        invalid: { reason: why, brokenSeq },
        'cannot-tell': { cannotTell: why },
      }
      const answer = await ask(Buffer.from(file, 'base64'), keys, checkpoints)
      expect(answer, name).toEqual({ verdict, ...expected[verdict] })
    }
  })

  const essence = (report: VerifyReport) => {
    if (report.verdict === 'invalid') return { verdict: 'invalid', reason: report.reason, brokenSeq: report.brokenSeq }
    if (report.verdict === 'cannot-tell') return { verdict: 'cannot-tell', cannotTell: report.cannotTell }
    return { verdict: 'valid', coveredThrough: report.coveredThrough }
  }

  const vkeys = { none: [], log: [formatVerifierKey(logKey)], all: [logKey, witnessKey].map(formatVerifierKey) }

  it('agrees on honest bundles of every shape, and on every way to damage them', async () => {
    const verdicts: Record<string, number> = {}
    for (let seed = 1; seed <= 16; seed++) {
      const { manifest, rows, kept } = honestCase(seed)
      const lines = [formatManifest(manifest), ...rows.map((row) => canonicalText({ ...row }))]
      const random = new Random(seed)
      const versions = [lines, ...damages.map((damage) => damage([...lines], random))]
      for (const [index, version] of versions.entries()) {
        const text = typeof version === 'string' ? version : `${version.join('\n')}\n`
        const keys = index === 0 ? 'all' : random.pick(['none', 'log', 'all'] as const)
        const ours = essence(verify(text, keys, kept))
        expect(await ask(text, vkeys[keys], kept), `seed ${seed}, damage ${index}, keys ${keys}`).toEqual(ours)
        const name = `${ours.verdict} ${ours.reason ?? ours.cannotTell ?? ''}`
        verdicts[name] = (verdicts[name] ?? 0) + 1
      }
    }
    // A test that meets only one answer would prove little.
    expect(Object.keys(verdicts).length).toBeGreaterThanOrEqual(10)
  })
})

type Damage = (lines: string[], random: Random) => string[] | string

/** Edits a JSON line through its value. */
const edit = (line: string | undefined, change: (value: Record<string, never>) => void): string => {
  const value = JSON.parse(line ?? '{}')
  change(value)
  return canonicalText(value)
}

const someRow = (lines: readonly string[], random: Random): number => 1 + random.int(Math.max(1, lines.length - 1))

const damages: readonly Damage[] = [
  (lines, random) => {
    const at = someRow(lines, random)
    if (lines[at] === undefined) return lines
    lines[at] = edit(lines[at], (row) => {
      const column = random.pick(Object.keys(row))
      Object.assign(row, { [column]: random.pick([null, 'x', 7, row[column], '2026-01-31T08:00:00.000Z']) })
    })
    return lines
  },
  (lines, random) => lines.filter((_, index) => index !== someRow(lines, random)),
  (lines, random) => lines.slice(0, someRow(lines, random)),
  (lines, random) => {
    const at = someRow(lines, random)
    return [...lines.slice(0, at), lines[at] ?? '', ...lines.slice(at)]
  },
  (lines, random) => {
    const text = lines.join('\n')
    const cut = (lines[0]?.length ?? 0) + 2 + random.int(Math.max(1, text.length - (lines[0]?.length ?? 0) - 3))
    return text.slice(0, cut)
  },
  (lines, random) => {
    const change = random.pick(['head', 'chain', 'origin', 'checkpoints', 'keys', 'to', 'anchor', 'junk'])
    lines[0] = edit(lines[0], (manifest) => {
      const m = manifest as unknown as Record<string, unknown>
      if (change === 'head' && m.head !== null) m.head = { seq: random.int(50), hash: random.hash() }
      if (change === 'chain') m.chain = 'another'
      if (change === 'origin') m.origin = 'elsewhere.example'
      if (change === 'checkpoints') m.checkpoints = []
      if (change === 'keys') m.keys = []
      if (change === 'to') m.to = random.int(60)
      if (change === 'anchor') m.anchor = null
      if (change === 'junk') m.checkpoints = ['no note']
    })
    return lines
  },
  (lines, random) => {
    lines[0] = edit(lines[0], (manifest) => {
      const m = manifest as unknown as { checkpoints: string[]; proofs: string[] }
      const flip = (note: string) =>
        note.replace(/(\u2014 \S+ .{20})(.)/, (_, start, character) => start + (character === 'A' ? 'B' : 'A'))
      if (random.int(2) === 0) m.checkpoints = m.checkpoints.map(flip)
      else {
        m.checkpoints = m.checkpoints.map((note) => note.replace(/\n(\d+)\n/, (_, size) => `\n${Number(size) + 1}\n`))
        m.proofs = m.proofs.map((proof) => proof.replace(/index (\d+)/, 'index 0'))
      }
    })
    return lines
  },
  (lines, random) => {
    const at = someRow(lines, random)
    if (lines[at] === undefined) return lines
    lines[at] = edit(lines[at], (row) =>
      Object.assign(row, { actorEmail: null, ip: null, userAgent: null, identitySalt: null }),
    )
    return lines
  },
  (lines, random) => {
    const at = someRow(lines, random)
    if (lines[at] === undefined) return lines
    lines[at] = edit(lines[at], (row) => Object.assign(row, { details: null, detailsSalt: null }))
    return lines
  },
  // What JSON leaves open, and what is not JSON at all.
  (lines, random) => {
    const at = someRow(lines, random)
    const change = random.pick(['7.0', '7e0', 'NBSP', 'deep', 'mark', 'NaN', 'huge', 'null'])
    if (change === 'mark') lines[0] = `\ufeff${lines[0]}`
    else if (change === 'NBSP') lines.splice(at, 0, '\u00a0')
    else if (change === 'deep') lines.splice(at, 0, `${'['.repeat(20_000)}${']'.repeat(20_000)}`)
    else if (change === 'null') lines.splice(at, 0, 'null')
    else {
      const value = { '7.0': '$1.0', '7e0': '$1e0', NaN: 'NaN', huge: '1e400' }[change] ?? '$1'
      lines[at] = lines[at]?.replace(/"seq":(\d+)/, `"seq":${value}`) ?? ''
    }
    return lines
  },
  ...Array.from({ length: 3 }, (): Damage => {
    return (lines, random) => {
      lines[0] = edit(lines[0], (manifest) => {
        const path = [manifest as unknown as Record<string, unknown>]
        const inner = path[0]?.[random.pick(['head', 'anchor', 'none'])]
        if (typeof inner === 'object' && inner !== null) path.push(inner as Record<string, unknown>)
        const target = path.at(-1) ?? {}
        const field = random.pick(Object.keys(target))
        const junk = random.pick([null, true, -1, 1.5, 2 ** 60, 'x', [], [7], {}, undefined] as const)
        if (junk === undefined) delete target[field]
        else target[field] = junk
      })
      return lines
    }
  }),
]
