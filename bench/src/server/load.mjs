/**
 * The load generator, a process of its own: keep-alive connections over plain sockets, one request under way on each, so
 * that as little as possible of the machine goes into asking. Reads its task as JSON from the first argument, prints the
 * result as JSON: requests, rate, latencies in ms (from write to the last byte), statuses. It ends after `ms`, or after
 * `requests` where that comes first.
 */
import { connect } from 'node:net'

const {
  port,
  clients,
  ms,
  requests = Number.POSITIVE_INFINITY,
  method,
  path,
  headers,
  body,
  unique,
} = JSON.parse(process.argv[2])
const latencies = []
const statuses = {}
let number = Date.now() % 1e9
let stopped = false
let sent = 0

function request() {
  // `{n}` in the body becomes a number never used before, for writes of unique names.
  const text = body === undefined ? '' : unique ? body.replace('{n}', `${process.pid}-${number++}`) : body
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  const length =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${text}`
}

function client() {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sentMs = 0
    let received = ''
    const send = () => {
      if (stopped || sent >= requests) return socket.end()
      sent += 1
      received = ''
      sentMs = performance.now()
      socket.write(request())
    }
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const head = received.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN)
      if (Number.isNaN(length)) return reject(new Error(`an answer without a length: ${received.slice(0, 300)}`))
      if (received.length < head + 4 + length) return
      latencies.push(performance.now() - sentMs)
      const status = received.slice(9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status[0] !== '2' && statuses[status] === 1) console.error(received.slice(head + 4, head + 400))
      send()
    })
    socket.on('error', reject)
    socket.on('close', resolve)
  })
}

const started = performance.now()
// Where the requests are used up first, nothing waits for the rest of the time.
setTimeout(() => {
  stopped = true
}, ms).unref()
await Promise.all(Array.from({ length: clients }, client))
const seconds = (performance.now() - started) / 1000
latencies.sort((a, b) => a - b)
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
process.stdout.write(
  JSON.stringify({
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    statuses,
  }),
)
