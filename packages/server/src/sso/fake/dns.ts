/**
 * A name server for trials, UDP only. It answers the TXT records that it was given, and "no such name" for every other
 * name.
 */
import { createSocket } from 'node:dgram'

export interface FakeDns {
  readonly port: number
  /** By name, in lower case. */
  readonly records: Map<string, string[]>
  close(): Promise<void>
}

const HEADER = 12
const TYPE_TXT = 16
const CHUNK = 255
const ANSWER = 0x8400
const NOT_THERE = 0x8403

export async function startFakeDns(port: number): Promise<FakeDns> {
  const records: FakeDns['records'] = new Map()
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const answer = answerTo(message, records)
    if (answer !== null) socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, '127.0.0.1', resolve)
  })
  return {
    port: socket.address().port,
    records,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

interface Question {
  readonly name: string
  readonly type: number
  /** The offset in the message where the question ends. */
  readonly end: number
}

/** Null unless the message has exactly one question. */
function questionOf(message: Buffer): Question | null {
  if (message.length < HEADER || message.readUInt16BE(4) !== 1) return null
  const labels: string[] = []
  let at = HEADER
  for (;;) {
    const length = message[at]
    if (length === undefined || length > 63 || at + 1 + length > message.length) return null
    at += 1
    if (length === 0) break
    labels.push(message.toString('latin1', at, at + length))
    at += length
  }
  if (at + 4 > message.length) return null
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at), end: at + 4 }
}

function answerTo(message: Buffer, records: FakeDns['records']): Buffer | null {
  const question = questionOf(message)
  if (question === null) return null
  const kept = records.get(question.name)
  const texts = question.type === TYPE_TXT ? (kept ?? []) : []
  const header = Buffer.alloc(HEADER)
  message.copy(header, 0, 0, 2)
  header.writeUInt16BE(kept === undefined ? NOT_THERE : ANSWER, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(texts.length, 6)
  return Buffer.concat([header, message.subarray(HEADER, question.end), ...texts.map(recordOf)])
}

/** A TXT record for the name of the question, which follows the header. */
function recordOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const chunk = bytes.subarray(at, at + CHUNK)
    chunks.push(Buffer.from([chunk.length]), chunk)
  }
  const data = Buffer.concat(chunks)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | HEADER, 0)
  head.writeUInt16BE(TYPE_TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
