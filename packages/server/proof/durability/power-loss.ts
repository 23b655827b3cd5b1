/**
 * Power loss, replayed: the writes and syncs of a real run are recorded, and disks are rebuilt as they could be after a
 * cut at any moment. What was synced is there; of what was not, each write may be there, be gone, or be torn at sectors of
 * 512 bytes, in any combination. A file that was never synced may be empty.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from './inspect.js'

const SECTOR = 512
const FILES = { 1: 'plumbline.db', 2: 'plumbline.db-wal' } as const
type FileNumber = keyof typeof FILES

interface Event {
  readonly kind: 'W' | 'T' | 'S' | 'A'
  readonly file: number
  readonly offset: number
  readonly data: Buffer
}

export interface PowerLossResult {
  readonly events: number
  readonly syncs: number
  readonly acknowledged: number
  readonly images: number
  readonly failures: string[]
  readonly failedImages: number
}

/** Runs the writer under the shim and answers with the record. */
export function recordRun(writer: string, shim: string, writes: number, synchronous: 'FULL' | 'NORMAL'): Event[] {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-record-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const log = join(folder, 'record')
  try {
    const { signal, stderr } = spawnSync(process.execPath, [writer, 'replay', data, String(writes), synchronous], {
      env: { ...process.env, LD_PRELOAD: shim, PLUMBLINE_SHIM_FOLDER: data, PLUMBLINE_SHIM_LOG: log },
      encoding: 'utf8',
    })
    if (signal !== 'SIGKILL') throw new Error(`the writer did not finish: ${stderr}`)
    return parse(readFileSync(log))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function parse(record: Buffer): Event[] {
  const events: Event[] = []
  for (let at = 0; at < record.length; ) {
    const length = record.readUInt32LE(at + 4)
    events.push({
      kind: String.fromCharCode(record.readUInt8(at)) as Event['kind'],
      file: record.readUInt8(at + 1),
      offset: Number(record.readBigUInt64LE(at + 8)),
      data: record.subarray(at + 16, at + 16 + length),
    })
    at += 16 + length
  }
  return events
}

/** A file as the disk holds it for sure, and what was written to it since. */
class File {
  bytes: Buffer = Buffer.alloc(0)
  pending: Event[] = []

  sync(): void {
    for (const event of this.pending) this.bytes = apply(this.bytes, event)
    this.pending = []
  }

  /** One disk that a cut may leave. `keep` decides for each sector. */
  image(keep: () => boolean, tear: () => boolean): Buffer {
    let bytes: Buffer = Buffer.from(this.bytes)
    for (const event of this.pending) {
      if (event.kind === 'W' && tear()) {
        for (let from = 0; from < event.data.length; from += SECTOR) {
          if (!keep()) continue
          const data = event.data.subarray(from, from + SECTOR)
          bytes = apply(bytes, { ...event, offset: event.offset + from, data })
        }
      } else if (keep()) bytes = apply(bytes, event)
    }
    return bytes
  }
}

function apply(bytes: Buffer, { kind, offset, data }: Event): Buffer {
  if (kind === 'T')
    return offset <= bytes.length
      ? bytes.subarray(0, offset)
      : Buffer.concat([bytes, Buffer.alloc(offset - bytes.length)])
  const end = offset + data.length
  let target = bytes
  if (end > bytes.length) {
    target = Buffer.alloc(end)
    bytes.copy(target)
  }
  data.copy(target, offset)
  return target
}

/** Builds about `images` disks, spread over the record, and inspects each. */
export function replay(events: readonly Event[], images: number, random: () => number): PowerLossResult {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'plumbline-image-'))
  const files: Record<FileNumber, File> = { 1: new File(), 2: new File() }
  const acknowledged: number[] = []
  const failures: string[] = []
  let [syncs, built, failedImages] = [0, 0, 0]
  // Before the first acknowledgement the migrations run: a cut there leaves nothing that could be lost.
  const first = events.findIndex(({ kind }) => kind === 'A')
  const perEvent = images / (events.length - first)
  let owed = 0
  try {
    events.forEach((event, index) => {
      if (event.kind === 'A') {
        acknowledged.push(...event.data.toString('utf8').split('\n').slice(0, -1).map(Number))
      } else if (event.kind === 'S') {
        syncs += 1
        files[event.file as FileNumber].sync()
      } else files[event.file as FileNumber].pending.push(event)
      if (index < first) return
      for (owed += perEvent; owed >= 1; owed--) {
        // From almost all kept to all gone: the ends of the range are the usual disks, the middle the strange ones.
        const share = [0, 1, random()][built % 3] ?? 0
        for (const [number, name] of Object.entries(FILES)) {
          const bytes = files[Number(number) as FileNumber].image(
            () => random() < share,
            () => random() < 0.5,
          )
          writeFileSync(join(folder, name), bytes)
        }
        rmSync(join(folder, 'plumbline.db-shm'), { force: true })
        const problem = inspect(join(folder, 'plumbline.db'), acknowledged)
        built += 1
        if (problem === null) continue
        failedImages += 1
        if (failures.length < 10) failures.push(`event ${index}, image ${built}: ${problem}`)
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { events: events.length, syncs, acknowledged: acknowledged.length, images: built, failures, failedImages }
}
