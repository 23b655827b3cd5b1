/** The server of PostgreSQL on which the benchmarks make databases of their own. */
import { connect } from 'node:net'

export const postgresUrl = process.env.PLUMBLINE_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Whether it answers; says what is left out when it does not. */
export async function postgresAnswers(): Promise<boolean> {
  const { hostname, port } = new URL(postgresUrl)
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = connect(Number(port || 5432), hostname)
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
  if (!isThere) {
    console.error('PostgreSQL left out: set PLUMBLINE_TEST_POSTGRES_URL to a server on which databases may be made')
  }
  return isThere
}
