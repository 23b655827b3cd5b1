/**
 * Verifies a file in a separate process, so that its memory can be measured: `node verify-file.mjs FILE`.
 * Plain JavaScript on the built package, because a TypeScript loader would add to the memory.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { BundleVerifier } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'

const verifier = new BundleVerifier(nodeCrypto)
const handle = openSync(process.argv[2], 'r')
const chunk = Buffer.alloc(1 << 18)
let rest = Buffer.alloc(0)
const started = performance.now()
for (let bytes = readSync(handle, chunk); bytes > 0; bytes = readSync(handle, chunk)) {
  const data = Buffer.concat([rest, chunk.subarray(0, bytes)])
  const end = data.lastIndexOf(0x0a)
  for (const line of data.toString('utf8', 0, end).split('\n')) verifier.pushLine(line)
  rest = data.subarray(end + 1)
}
const report = verifier.finish()
const ms = performance.now() - started
closeSync(handle)
// maxRSS is in KiB.
const residentMiB = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ ms, residentMiB, count: report.count, reason: report.reason ?? null }))
