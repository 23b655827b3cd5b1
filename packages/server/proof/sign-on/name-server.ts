/**
 * A name server that lies: over UDP and TCP it answers each question as it was told last. Its messages are built here by hand,
 * since no library writes the wrong ones.
 */
import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer } from 'node:net'

export interface Asked {
  readonly id: number
  /** The bytes of the question, with its type and class. */
  readonly question: Buffer
}

/** The datagrams that answer, in this order; none for silence. */
export type Lie = (asked: Asked) => readonly Buffer[]

export interface LyingServer {
  readonly address: string
  /** What it says of a name, and over TCP; without the second no TCP connection is answered. */
  tell(name: string, lie: Lie, overTcp?: Lie): void
  close(): Promise<void>
}

const HEADER = 12
const CHUNK_MAX = 255
const TYPES = { A: 1, CNAME: 5, TXT: 16 }
/** The name of the question, which follows the header. */
const ASKED_NAME = 0xc000 | HEADER
const IS_ANSWER = 0x8400
const IS_CUT = 0x0200

export const RCODES = { ok: 0, malformed: 1, failed: 2, noSuchName: 3, notImplemented: 4, refused: 5 }

interface Message {
  readonly id?: number
  readonly flags?: number
  readonly rcode?: number
  readonly question?: Buffer
  readonly records?: readonly Buffer[]
}

/** An answer to the question, except for what is given otherwise. */
export function message(asked: Asked, { id, flags, rcode = 0, question, records = [] }: Message = {}): Buffer {
  const header = Buffer.alloc(HEADER)
  header.writeUInt16BE(id ?? asked.id, 0)
  header.writeUInt16BE((flags ?? IS_ANSWER) | rcode, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question ?? asked.question, ...records])
}

/** The answer without records that says "ask over TCP". */
export const cutShort = (asked: Asked): Buffer => message(asked, { flags: IS_ANSWER | IS_CUT })

function recordOf(type: number, data: Buffer, { name = ASKED_NAME, length = data.length } = {}): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(name, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(length, 10)
  return Buffer.concat([head, data])
}

function chunked(text: string, size: number): Buffer {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.subarray(at, at + size)
    chunks.push(Buffer.from([chunk.length]), chunk)
  }
  return Buffer.concat(chunks)
}

export const txt = (text: string, chunk = CHUNK_MAX): Buffer => recordOf(TYPES.TXT, chunked(text, chunk))
/** It says of itself that it is longer than the message. */
export const tooLongTxt = (text: string): Buffer => recordOf(TYPES.TXT, chunked(text, CHUNK_MAX), { length: 4000 })
/** Its name refers to itself for ever. */
export const circularTxt = (text: string, asked: Asked): Buffer =>
  recordOf(TYPES.TXT, chunked(text, CHUNK_MAX), { name: 0xc000 | (HEADER + asked.question.length) })
export const address = (): Buffer => recordOf(TYPES.A, Buffer.from([192, 0, 2, 1]))

const labels = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.alloc(1),
  ])

/** An alias, and the text at the name that it stands for. */
export function aliased(text: string): readonly Buffer[] {
  const other = labels('elsewhere.test')
  return [recordOf(TYPES.CNAME, other), Buffer.concat([other, txt(text).subarray(2)])]
}

/** A question for another name. */
export const otherQuestion = ({ question }: Asked): Buffer =>
  Buffer.concat([labels('other.test'), question.subarray(-4)])

function read(bytes: Buffer): { readonly name: string; readonly asked: Asked } {
  const parts: string[] = []
  let at = HEADER
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    parts.push(bytes.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const asked = { id: bytes.readUInt16BE(0), question: Buffer.from(bytes.subarray(HEADER, at + 5)) }
  return { name: parts.join('.').toLowerCase(), asked }
}

export async function lyingServer(): Promise<LyingServer> {
  const lies = new Map<string, Lie>()
  const overTcp = new Map<string, Lie>()
  const datagrams = createSocket('udp4')
  const connections = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      const { name, asked } = read(bytes.subarray(2))
      const lie = overTcp.get(name)
      if (lie === undefined) return void socket.destroy()
      for (const answer of lie(asked)) {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(answer.length)
        socket.write(Buffer.concat([length, answer]))
      }
    })
  })
  datagrams.on('message', (bytes, from) => {
    const { name, asked } = read(bytes)
    for (const answer of lies.get(name)?.(asked) ?? []) datagrams.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => connections.listen(0, '127.0.0.1', resolve))
  const { port } = connections.address() as AddressInfo
  await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${port}`,
    tell(name, lie, byTcp) {
      lies.set(name, lie)
      if (byTcp === undefined) overTcp.delete(name)
      else overTcp.set(name, byTcp)
    },
    async close() {
      datagrams.close()
      await new Promise((resolve) => connections.close(resolve))
    },
  }
}
