/**
 * The load generator, a separate process: keep-alive connections over plain sockets with one request in progress on
 * each, so that it uses as little of the machine as possible.
 * It reads its task as JSON from the first argument, and prints the result as JSON: requests, rate, latencies in ms
 * (from write to the last byte), statuses. It ends after `ms`, or after `requests` if that comes first. With `file`,
 * each request takes the next body, headers and path of its list, starting at `from`.
 */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
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
  file,
  from = 0,
  sign,
} = JSON.parse(process.argv[2])
const prepared = file === undefined ? null : JSON.parse(readFileSync(file, 'utf8'))
const latencies = []
const statuses = {}
let number = Date.now() % 1e9
let stopped = false
let sent = 0

function request() {
  const own = prepared?.[from + sent - 1]
  if (own !== undefined) return wire({ ...headers, ...own.headers }, own.body, own.path)

  // `{n}` in the body becomes a number that was not used before, for writes with unique names.
  const text = unique ? body?.replaceAll('{n}', `${process.pid}-${number++}`) : body
  if (sign === undefined) return wire(headers ?? {}, text)
  const signature = createHmac('sha256', sign.secret)
    .update(text ?? '')
    .digest('hex')
  return wire({ ...headers, [sign.header]: `sha256=${signature}` }, text)
}

function wire(own, text, to = path) {
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`)
  const length =
    text === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
  return `${method} ${to} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${text ?? ''}`
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
// If the requests are used up first, the timer does not keep the process alive.
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
