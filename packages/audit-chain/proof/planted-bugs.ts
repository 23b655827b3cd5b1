/**
 * Bugs that a verifier could have, as patches of the sources. Each is planted in a copy of the package and the proof run
 * there; a bug that leaves the run green is a hole in the proof.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface PlantedBug {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

const coreFields = [
  'affectedOrgId',
  'createdAt',
  'idempotencyKey',
  'occurredAt',
  'orgId',
  'impersonatorId',
  'traceId',
  'targetId',
]

const PLANTED_BUGS: readonly PlantedBug[] = [
  ...coreFields.map((field) => ({
    name: `${field} is left out of the hash`,
    file: 'event/hashes.ts',
    find: `"${field}":"\\$\\{escaped\\(core\\.${field}\\)\\}"`,
    replace: `"${field}":null`,
  })),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source text to look for
  bug('the outcome is left out of the hash', 'event/hashes.ts', '"${escaped(core.outcome)}"', 'null'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source text to look for
  bug('the user agent is left out of the commitment', 'event/hashes.ts', '"${escaped(userAgent)}"', 'null'),
  bug('the salt does not enter the commitment', 'event/hashes.ts', 'prefix.bytes.set(salt, prefix.saltAt)', ''),
  bug(
    'a null salt skips the commitment',
    'verify/row.ts',
    'return isIdentityErased(row) && isHash(row.identityHash)',
    'return true',
  ),
  bug(
    'null details skip the commitment',
    'verify/row.ts',
    'return areDetailsErased(row) && isHash(row.detailsHash)',
    'return true',
  ),
  bug(
    'details without a commitment are accepted',
    'verify/row.ts',
    'return row.details === null && row.detailsSalt === null',
    'return true',
  ),
  bug('an added column is accepted', 'verify/row.ts', 'fields === FIELD_COUNT &&', ''),
  bug(
    'the hash of a row is not recomputed',
    'verify/row.ts',
    "eventHash(crypto, row) === row.hash ? null : 'hash'",
    'null',
  ),
  bug(
    'links are not checked',
    'verify/log-verifier.ts',
    'this.#previousHash !== null && row.prevHash !== this.#previousHash) {',
    'false) {',
  ),
  bug(
    'numbers are not checked',
    'verify/log-verifier.ts',
    'if (row.seq !== this.#expectedSeq) return',
    'if (false) return',
  ),
  bug(
    'a gap upwards is accepted',
    'verify/log-verifier.ts',
    'if (row.seq !== this.#expectedSeq) return',
    'if (row.seq < this.#expectedSeq) return',
  ),
  bug(
    'the chain of a row is not checked',
    'verify/log-verifier.ts',
    'if (row.chain !== this.#chain) {',
    'if (false) {',
  ),
  bug(
    'the first row may link to anything',
    'verify/log-verifier.ts',
    'if (isFirst && this.#expectedSeq === 1) this.#previousHash',
    'if (false) this.#previousHash',
  ),
  bug(
    'time may run backwards',
    'verify/log-verifier.ts',
    'if (row.createdAt < this.#previousCreatedAt) {',
    'if (false) {',
  ),
  bug('a truncated tail is accepted', 'verify/log-verifier.ts', 'if (missing !== undefined) {', 'if (false) {'),
  bug(
    'a checkpoint beyond the tail is ignored',
    'verify/log-verifier.ts',
    "ends.push(['checkpoint', checkpoint.size])",
    'void 0',
  ),
  bug(
    'the head is not compared',
    'verify/log-verifier.ts',
    'if (head === null || actual === null || head.hash === actual) return null',
    'return null',
  ),
  bug(
    'roots are not compared',
    'verify/log-verifier.ts',
    "checkpoint.root === root && headFits ? 'fits' : 'differs'",
    "'fits'",
  ),
  bug('no checkpoint is good enough', 'verify/log-verifier.ts', "? 'no_checkpoint' : null", '? null : null'),
  bug(
    'zero rows are valid',
    'verify/log-verifier.ts',
    "if (this.#firstSeq === null) return 'nothing_to_check'",
    'if (this.#firstSeq === null) return null',
  ),
  bug('an unknown key is good enough', 'verify/expectation.ts', ": 'unknown'\n", ": 'known'\n"),
  bug('a forged signature is good enough', 'verify/expectation.ts', "? 'forged'", "? 'known'"),
  bug(
    'signatures are not verified',
    'checkpoint/note.ts',
    'return crypto.verify(toUtf8(text), bytes, key.publicKey) ? null : false',
    'return null',
  ),
  bug(
    'unexplained erasures are accepted',
    'verify/log-verifier.ts',
    'if (first === null || this.#isPart) return null',
    'return null',
  ),
  bug(
    'a copy may lack what is not foreign',
    'verify/log-verifier.ts',
    'isIdentityErased(row) && isForeign(row, row.chain)',
    'isIdentityErased(row)',
  ),
  bug(
    'a copy need not say that it lacks identities',
    'verify/log-verifier.ts',
    'this.#options.foreignWithheld === true && isIdentityErased(row)',
    'isIdentityErased(row)',
  ),
  bug(
    'a row that might be withheld counts as withheld',
    'verify/log-verifier.ts',
    'foreignWithheld === true && isIdentityErased(row)',
    'foreignWithheld === true',
  ),
  bug('explained erasures are refused', 'verify/erasures.ts', 'if (erasure === null) return', 'return'),
  bug(
    'only identities are watched for erasure',
    'verify/erasures.ts',
    'if (details) add(this.#open.details, row.seq)',
    '',
  ),
  bug(
    'leaf and node prefixes are swapped',
    'tree/node-hash.ts',
    'nodeInput[0] = 1',
    'nodeInput[0] = 0\nleafInput[0] = 1',
  ),
  bug('leaves have the prefix of nodes', 'tree/node-hash.ts', 'nodeInput[0] = 1', 'nodeInput[0] = 1\nleafInput[0] = 1'),
  bug(
    'nodes hash right before left',
    'tree/node-hash.ts',
    'nodeInput[1 + index] = left[leftAt + index] ?? 0\n    nodeInput[1 + HASH_BYTES + index] = right[rightAt + index] ?? 0',
    'nodeInput[1 + index] = right[rightAt + index] ?? 0\n    nodeInput[1 + HASH_BYTES + index] = left[leftAt + index] ?? 0',
  ),
  bug(
    'an older size above the newer one is accepted',
    'tree/verify-proof.ts',
    '|| first > second) return false',
    ') return false\n  if (first > second) return true',
  ),
  bug(
    'an empty proof is accepted',
    'tree/verify-proof.ts',
    'if (start === undefined || proof.length === 0) return false',
    'if (start === undefined || proof.length === 0) return true',
  ),
  bug(
    'only the newer root is compared',
    'tree/verify-proof.ts',
    'oldHash === firstRoot && newHash === secondRoot',
    'newHash === secondRoot',
  ),
  bug(
    'only the older root is compared',
    'tree/verify-proof.ts',
    'oldHash === firstRoot && newHash === secondRoot',
    'oldHash === firstRoot',
  ),
  bug(
    'a proof may be too short',
    'tree/verify-proof.ts',
    'return walk.atTop && hash === root',
    'return hash === root || proof.length === 0',
  ),
  bug(
    'a proof may be too long',
    'tree/verify-proof.ts',
    'if (walk.atTop) return false\n    hash =',
    'if (walk.atTop) return hash === root\n    hash =',
  ),
  bug(
    'equal sizes need no equal roots',
    'tree/verify-proof.ts',
    'return proof.length === 0 && firstRoot === secondRoot',
    'return proof.length === 0',
  ),
  bug(
    'an index may lie outside the tree',
    'tree/verify-proof.ts',
    '|| index >= size) return false',
    ') return false\n  if (index >= size) return true',
  ),
  bug(
    'trees split in the middle',
    'tree/ranges.ts',
    'while (power * 2 < count) power *= 2',
    'while (power * 2 <= count) power *= 2',
  ),
  bug(
    'the root is built from the left',
    'tree/frontier.ts',
    'for (const level of levels.slice(1)) {',
    'for (const level of levels.slice(1).reverse()) {',
  ),
]

function bug(name: string, file: string, find: string, replace: string): PlantedBug {
  return { name, file, find: find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), replace }
}

const packageRoot = fileURLToPath(new URL('..', import.meta.url))

/** Plants the bugs whose names contain `only`; answers with the names of those that the proof does not notice. */
export function runPlantedBugs(
  only: string,
  progress: (done: number) => void,
): { count: number; undetected: string[] } {
  const undetected: string[] = []
  let count = 0
  const copy = mkdtempSync(join(tmpdir(), 'audit-chain-'))
  try {
    for (const folder of ['src', 'proof', 'test'])
      cpSync(join(packageRoot, folder), join(copy, folder), { recursive: true })
    writeFileSync(join(copy, 'package.json'), readFileSync(join(packageRoot, 'package.json')))
    symlinkSync(join(packageRoot, '../../node_modules'), join(copy, 'node_modules'))
    const bugs = PLANTED_BUGS.filter(({ name }) => name.includes(only))
    bugs.forEach((planted, index) => {
      if (!isDetected(copy, planted)) undetected.push(planted.name)
      count = index + 1
      progress(count)
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return { count, undetected }
}

function isDetected(copy: string, planted: PlantedBug): boolean {
  const file = join(copy, 'src', planted.file)
  const source = readFileSync(file, 'utf8')
  const pattern = new RegExp(planted.find)
  if (!pattern.test(source)) throw new Error(`the bug \`${planted.name}\` does not fit ${planted.file} any more`)
  writeFileSync(
    file,
    source.replace(pattern, () => planted.replace),
  )
  try {
    const args = ['--import', 'tsx', join(copy, 'proof/main.ts'), '--smoke']
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', timeout: 120_000 })
    // A crash of the sources as such would say nothing about the proof.
    if (/SyntaxError|ERR_MODULE|TransformError/.test(stderr))
      throw new Error(`${planted.name}: ${stderr.slice(0, 400)}`)
    return status !== 0
  } finally {
    writeFileSync(file, source)
  }
}
