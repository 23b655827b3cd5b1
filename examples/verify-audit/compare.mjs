/**
 * Verifies the sample and some damaged copies of it with both verifiers and compares their answers.
 * Exits 1 when they differ, or when either answers otherwise than expected.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BundleVerifier, parseVerifierKey } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'

const here = fileURLToPath(new URL('.', import.meta.url))
const keyFile = join(here, 'sample.pub')
const sample = readFileSync(join(here, 'sample.jsonl'), 'utf8')
const keys = readFileSync(keyFile, 'utf8')
  .split('\n')
  .flatMap((line) => parseVerifierKey(nodeCrypto, line.trim()) ?? [])

const cases = [
  ['the sample', sample, 'valid'],
  ['an actor changed', sample.replace('"actorId":"usr_ada"', '"actorId":"usr_eve"'), 'invalid'],
  ['the last event deleted', `${sample.trimEnd().split('\n').slice(0, -1).join('\n')}\n`, 'invalid'],
  ['cut in the middle', sample.slice(0, sample.length / 2), 'invalid'],
  ['something else', 'hello\n', 'cannot-tell'],
]

const folder = mkdtempSync(join(tmpdir(), 'verify-audit-'))
let failed = 0
try {
  for (const [name, text, expected] of cases) {
    const file = join(folder, 'bundle.jsonl')
    writeFileSync(file, text)
    const ours = answerOf(typescript(text))
    const python = spawnSync('python3', [join(here, 'verify.py'), file, '--key', keyFile], { encoding: 'utf8' })
    if (python.error) {
      console.log('python3 is not installed: nothing to compare with')
      break
    }
    const theirs = answerOf(JSON.parse(python.stdout || '{}'))
    const agree = ours === theirs && ours.startsWith(expected)
    if (!agree) failed++
    console.log(`${agree ? 'ok  ' : 'FAIL'} ${name.padEnd(24)} ${ours}${agree ? '' : ` but Python says ${theirs}`}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

function typescript(text) {
  const verifier = new BundleVerifier(nodeCrypto, { keys })
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) verifier.pushLine(line, index === lines.length - 1)
  return verifier.finish()
}

function answerOf({ verdict, reason, cannotTell, brokenSeq }) {
  return [verdict, reason ?? cannotTell, brokenSeq].filter((part) => part !== undefined && part !== null).join(' ')
}
