/** Answers a request that Node could not read. Node would end the connection with a status and nothing else. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { ERROR_CATALOGUE, type ErrorCode } from '../errors.js'
import type { Log } from '../log/log.js'

/** For the first line and the headers together: what Node allows by default. */
export const HEAD_BYTES_MAX = 16_384

const REST_MS_MAX = 1000

interface Unread {
  readonly code: ErrorCode
  readonly message: string
}

const TOO_LARGE: Unread = {
  code: 'PAYLOAD_TOO_LARGE',
  message: `the address and the headers of a request may have ${HEAD_BYTES_MAX} bytes together: send fewer or shorter parameters`,
}
const TOO_SLOW: Unread = { code: 'REQUEST_TIMEOUT', message: 'the request did not arrive in time' }
const NO_HTTP: Unread = { code: 'VALIDATION_ERROR', message: 'this is not a request of HTTP/1.1' }

const REASONS: Readonly<Record<string, Unread>> = {
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
}

/** @param nextId the id of each answer, which stands in the log too. */
export function answerUnread(server: Pick<Server, 'on'>, log: Log, nextId: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Bytes of an answer may be on their way, and others in the middle of it would be taken for its own.
    const { _httpMessage: answering } = socket as { _httpMessage?: { headersSent: boolean } }
    if (!socket.writable || answering?.headersSent === true) {
      socket.destroy(error)
      return
    }
    const { code, message } = REASONS[error.code ?? ''] ?? NO_HTTP
    const { status } = ERROR_CATALOGUE[code]
    const requestId = nextId()
    log.write('http.request_refused', { method: null, route: 'none', status, ms: 0, requestId })
    const body = JSON.stringify({ success: false, statusCode: status, code, message, requestId })
    const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\nconnection: close`
    socket.end(`HTTP/1.1 ${status} ${code}\r\n${head}\r\n\r\n${body}`)
    // What is still on its way is read, because closing the connection before would take the answer with it.
    socket.resume()
    setTimeout(() => socket.destroy(), REST_MS_MAX).unref()
  })
}
