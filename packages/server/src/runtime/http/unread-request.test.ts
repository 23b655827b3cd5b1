/** What is answered to bytes that are not a request. `operator.test.ts` has the answers of a whole server. */
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { silentLog } from '../log/log.js'
import { answerUnread } from './unread-request.js'

it('is put into no other answer that is on its way', async () => {
  const server = createServer((_request, response) => void response.write('begun'))
  answerUnread(server, silentLog, () => 'id')
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    const { port } = server.address() as AddressInfo
    const seen = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'))
      socket.setEncoding('utf8')
      socket.on('data', (part: string) => {
        const isFirst = !text.includes('begun')
        text += part
        if (isFirst && text.includes('begun')) socket.write('\x16\x03 hello\r\n\r\n')
      })
      socket.on('error', () => undefined).on('close', () => resolve(text))
    })
    expect(seen).toMatch(/^HTTP\/1\.1 200 [\s\S]*begun/)
    expect(seen).not.toContain('success')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
