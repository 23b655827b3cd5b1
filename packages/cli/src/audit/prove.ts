/** `plumbline audit prove`: one pass over the bundle, in constant memory. */
import {
  BundleVerifier,
  EMPTY_FRONTIER,
  formatManifest,
  formatTlogProof,
  inclusionRanges,
  parseCheckpoint,
  readManifest,
  StreamProver,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { argument, seqRange, text } from '../program/invocation.js'
import { writeAndSay } from '../program/outputs.js'
import { openLines } from './input.js'

export const run: CommandRun = async (invocation, io) => {
  const [seq, last] = seqRange(argument(invocation, 0))
  if (seq !== last) throw new UsageError('one event at a time: give one sequence number')
  const path = argument(invocation, 1)
  const verifier = new BundleVerifier(nodeCrypto, { trustOfferedKeys: true })
  let cutter: Cutter | null = null
  for await (const { texts, isCut, isTooLong } of openLines(path, io).lines) {
    for (const line of texts) {
      if (!verifier.pushLine(line, isCut) || line.trim() === '') continue
      if (cutter === null) cutter = new Cutter(line, seq, path)
      else cutter.push(line)
    }
    if (isTooLong) verifier.pushLine('{')
    if (verifier.isForeign) break
  }
  const report = verifier.finish()
  if (report.verdict === 'invalid') {
    throw new UsageError(`\`${path}\` is not valid (${report.reason})`, `run \`plumbline audit verify ${path}\``)
  }
  const proven = cutter?.finish()
  if (cutter === null || proven === undefined) throw new UsageError(`\`${path}\` is not a bundle`)
  const evidence = text(invocation, 'format') === 'tlog-proof' ? proven.proof : proven.bundle
  await writeAndSay(invocation, io, evidence)
  return ExitCode.clean
}

class Cutter {
  readonly #manifest
  readonly #checkpoint: string
  readonly #prover: StreamProver
  readonly #seq: number
  #row: string | null = null

  constructor(line: string, seq: number, path: string) {
    const manifest = readManifest(JSON.parse(line))
    if (manifest === null || !manifest.complete) {
      throw new UsageError(`\`${path}\` is not a complete bundle`, 'a proof needs every event up to the checkpoint')
    }
    if (seq < manifest.from || seq > manifest.to) {
      throw new UsageError(`\`${path}\` holds events ${manifest.from} to ${manifest.to}, not ${seq}`)
    }
    const covering = manifest.checkpoints.filter((note) => (parseCheckpoint(note)?.size ?? 0) >= seq).at(-1)
    if (covering === undefined) throw new UsageError(`no checkpoint of \`${path}\` covers event ${seq} yet`)
    this.#manifest = manifest
    this.#checkpoint = covering
    this.#seq = seq
    const ranges = inclusionRanges(seq - 1, parseCheckpoint(covering)?.size ?? 0)
    this.#prover = new StreamProver(nodeCrypto, ranges, manifest.anchor?.frontier ?? EMPTY_FRONTIER)
  }

  push(line: string): void {
    const row = JSON.parse(line) as { seq: number; hash: string }
    if (row.seq === this.#seq) this.#row = line
    this.#prover.push(row.hash)
  }

  finish(): { proof: string; bundle: string } {
    const path = this.#prover.proof()
    if (path === null || this.#row === null) throw new UsageError(`event ${this.#seq} cannot be proven from this file`)
    const proof = formatTlogProof({ index: this.#seq - 1, path, checkpoint: this.#checkpoint })
    const manifest = formatManifest({
      ...this.#manifest,
      from: this.#seq,
      to: this.#seq,
      complete: false,
      head: null,
      anchor: null,
      checkpoints: [],
      proofs: [proof],
    })
    return { proof, bundle: `${manifest}\n${this.#row}\n` }
  }
}
