/** A name server of our own: each name has a list of answers, of which every query takes the next. */
import { createSocket, type Socket } from 'node:dgram'

export type Answer = readonly string[]

export interface NameServer {
  readonly address: string
  /** The answers of one name, one a look-up (A and AAAA together); the last one stays. */
  set(name: string, answers: readonly Answer[]): void
  /** How often a name was looked up. */
  asked(name: string): number
  close(): void
}

const TYPE_A = 1
const TYPE_AAAA = 28

export async function nameServer(port: number): Promise<NameServer> {
  const names = new Map<string, readonly Answer[]>()
  const queries = new Map<string, number>()
  const socket: Socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, type, end } = question(message)
    const key = `${name}/${type}`
    const count = queries.get(key) ?? 0
    queries.set(key, count + 1)
    const answers = names.get(name) ?? []
    const answer = answers[Math.min(count, answers.length - 1)] ?? []
    const wanted = answer.filter((address) => address.includes(':') === (type === TYPE_AAAA))
    socket.send(reply(message.subarray(0, end), type, wanted), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${port}`,
    set: (name, answers) => void names.set(name, answers),
    asked: (name) => Math.max(queries.get(`${name}/${TYPE_A}`) ?? 0, queries.get(`${name}/${TYPE_AAAA}`) ?? 0),
    close: () => socket.close(),
  }
}

function question(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function reply(asked: Buffer, type: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(asked)
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const data = type === TYPE_AAAA ? bytesOf6(address) : Buffer.from(address.split('.').map(Number))
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(0, 6)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, ...records])
}

/** Of an address without four decimals at its end. */
function bytesOf6(address: string): Buffer {
  const [head = '', tail] = address.split('::')
  const list = (side: string | undefined) => (side === undefined || side === '' ? [] : side.split(':'))
  const [a, b] = [list(head), list(tail)]
  const all = [...a, ...Array<string>(8 - a.length - b.length).fill('0'), ...b]
  const bytes = Buffer.alloc(16)
  for (const [at, group] of all.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), at * 2)
  return bytes
}
