/**
 * Runs both verifiers on the same files, and compares verdict, reason, position and exit code. First both run as
 * commands, on the sample and damaged copies of it. Then each runs in one process, on the published bundles and
 * thousands of random changes of them.
 * `npm start -- 20000 7` makes 20,000 changes with seed 7. Exits with 1 if any answer differs.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { BundleVerifier, parseVerifierKey } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { mutate, randomFrom } from './mutate.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const keyFile = join(here, 'sample.pub')
const cli = fileURLToPath(new URL('../../packages/cli/bin/plumbline.js', import.meta.url))
const vectors = new URL('../../packages/audit-chain/vectors/bundles.json', import.meta.url)
const [changes = 1000, seed = 1] = process.argv.slice(2).map(Number)
const EXIT_CODES = { valid: 0, invalid: 1, 'cannot-tell': 3 }

if (spawnSync('python3', ['--version']).error) {
  console.log('python3 is not installed: nothing to compare with')
  process.exit(process.env.PLUMBLINE_REQUIRE_SERVICES === '1' ? 1 : 0)
}
const folder = mkdtempSync(join(tmpdir(), 'verify-audit-'))
const file = join(folder, 'bundle.jsonl')
try {
  const failed = compareCommands() + (await compareMany())
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs both commands as a reader would, so that the real exit codes are compared. */
function compareCommands() {
  const sample = readFileSync(join(here, 'sample.jsonl'), 'utf8')
  const withoutNote = sample.replace(/"checkpoints":\[[^[]*\],"complete"/, '"checkpoints":[],"complete"')
  const cases = [
    ['the sample', sample, 0],
    ['an actor changed', sample.replace('"actorId":"usr_ada"', '"actorId":"usr_eve"'), 1],
    ['the last event deleted', `${sample.trimEnd().split('\n').slice(0, -1).join('\n')}\n`, 1],
    ['cut in the middle', sample.slice(0, sample.length / 2), 1],
    ['one digit of the signed head', sample.replace(/head ./, 'head g'), 1],
    ['the checkpoint left out', withoutNote, 3],
    ['something else', 'hello\n', 3],
  ]
  let failed = 0
  for (const [name, text, expected] of cases) {
    writeFileSync(file, text)
    const ours = spawnSync(process.execPath, [cli, 'audit', 'verify', file, '--key', keyFile, '--json'], {
      encoding: 'utf8',
    })
    const theirs = spawnSync('python3', [join(here, 'verify.py'), file, '--key', keyFile], { encoding: 'utf8' })
    const [first, second] = [ours, theirs].map(
      ({ stdout, status }) => `${answerOf(JSON.parse(stdout || '{}'))}, exit ${status}`,
    )
    const agree = first === second && ours.status === expected
    if (!agree) failed++
    console.log(`${agree ? 'ok  ' : 'FAIL'} ${name.padEnd(28)} ${first}${agree ? '' : ` but Python says ${second}`}`)
  }
  return failed
}

/** One Python process for all files, because starting one for each would take most of the time. */
async function compareMany() {
  const { bundles } = JSON.parse(readFileSync(vectors, 'utf8'))
  const random = randomFrom(seed)
  const python = spawn('python3', [join(here, 'verify.py'), '--many'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
  const seen = {}
  let failed = 0
  for (let index = 0; index < bundles.length + changes; index++) {
    const { name, file: base, keys: given, checkpoints } = bundles[index % bundles.length]
    const keys = index < bundles.length || random(4) > 0 ? given : []
    const bytes = Buffer.from(base, 'base64')
    const changed = index < bundles.length ? bytes : mutate(bytes, random)
    writeFileSync(file, changed)
    python.stdin.write(`${JSON.stringify([file, keys, checkpoints])}\n`)
    const ours = typescript(changed.toString('utf8'), keys, checkpoints)
    const { value = '{}' } = await answers.next()
    // Without a manifest our verifier checks the bare records. The other verifier does not accept them.
    if (ours.manifest === null && ours.cannotTell !== 'not_a_log' && ours.firstLine) continue
    const [first, second] = [ours, JSON.parse(value)].map(
      (report) => `${answerOf(report)}, exit ${EXIT_CODES[report.verdict]}`,
    )
    seen[first.split(',')[0].replace(/ \d+$/, '')] = (seen[first.split(',')[0].replace(/ \d+$/, '')] ?? 0) + 1
    if (first === second) continue
    failed++
    writeFileSync(join(tmpdir(), `verify-audit-differs-${index}.jsonl`), changed)
    console.log(`FAIL ${name}, change ${index} of seed ${seed}: ${first} but Python says ${second}`)
  }
  python.stdin.end()
  for (const [answer, count] of Object.entries(seen).sort()) console.log(`     ${String(count).padStart(6)} ${answer}`)
  console.log(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${bundles.length} published bundles and ${changes} changes of them, ${failed} answers differ`,
  )
  return failed
}

function typescript(text, keyTexts, checkpoints) {
  const keys = keyTexts.flatMap((key) => parseVerifierKey(nodeCrypto, key) ?? [])
  const verifier = new BundleVerifier(nodeCrypto, { keys, checkpoints })
  const lines = text.replace(/^\ufeff/, '').split('\n')
  for (const [index, line] of lines.entries()) verifier.pushLine(line, index === lines.length - 1)
  return { ...verifier.finish(), firstLine: lines.some((line) => line.trim() !== '') }
}

function answerOf({ verdict, reason, cannotTell, brokenSeq, coveredThrough }) {
  const place = verdict === 'valid' ? coveredThrough : (brokenSeq ?? null)
  return [verdict, reason ?? cannotTell, place].filter((part) => part !== undefined && part !== null).join(' ')
}
