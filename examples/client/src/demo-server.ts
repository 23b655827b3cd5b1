/** A server for this program alone, in a temporary folder. Prints what a terminal would show at the first start. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '@plumbline/server'

export interface DemoServer {
  readonly url: string
  /** A personal access token of `demo-owner`. */
  readonly token: string
  /** The password of each person of the demo. */
  readonly password: string
  stop(): Promise<void>
}

/** @param more further settings of the server. */
export async function startDemoServer(more: Readonly<Record<string, string>> = {}): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-example-'))
  let shown = ''
  const server = await startServer({
    environment: {
      DATA_DIR: folder,
      PORT: '0',
      PLUMBLINE_DEMO: 'true',
      LOG_LEVEL: 'warn',
      SHUTDOWN_DELAY_MS: '0',
      ...more,
    },
    print: (text) => {
      shown += text
    },
  })
  return {
    url: server.url,
    token: /token\s+(\S+)/.exec(shown)?.[1] ?? '',
    password: /password\s+(\S+)/.exec(shown)?.[1] ?? '',
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
