/** A server that answers one question of `plumbline doctor`, and nothing else. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { runCli } from './memory-io.js'

type Ran = ReturnType<typeof runCli>

/** Returns a function that runs `plumbline doctor` with this option against this answer at `path`. */
export function doctorAgainst(
  path: string,
  option: string,
  more: Parameters<typeof runCli>[1] = {},
): (data: object, status?: number, body?: object) => Ran {
  let server: Server
  let answer: { status: number; body: unknown }
  beforeAll(async () => {
    server = createServer((request, response) => {
      const isAsked = request.url === path && request.headers.authorization === 'Bearer plp_test'
      response.writeHead(isAsked ? answer.status : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.body))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => new Promise((resolve) => void server.close(resolve)))
  return (data, status = 200, body = { success: true, statusCode: status, data }) => {
    answer = { status, body }
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return runCli(['doctor', option], { ...more, env: { PLUMBLINE_URL: url, PLUMBLINE_TOKEN: 'plp_test' } })
  }
}
