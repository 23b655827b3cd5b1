/**
 * A server as a program: it runs until the process is told to stop. The first SIGTERM or SIGINT drains it, the second cuts
 * what is left, the third ends the process at once. Heard from the beginning: a signal that comes while the server starts is
 * obeyed as soon as it has, and a second one then ends the process, as nothing was answered yet.
 */
import type { RunningServer } from './server.js'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * @returns true when nothing was cut. What was cut may hold the process open: end it.
 * @throws whatever `start` throws.
 */
export async function untilStopped(start: () => Promise<Pick<RunningServer, 'stop'>>): Promise<boolean> {
  let server: Pick<RunningServer, 'stop'> | null = null
  let signals = 0
  let stopped: (clean: boolean) => void = () => undefined
  const end = new Promise<boolean>((resolve) => {
    stopped = resolve
  })
  const stop = () => void server?.stop().then(stopped)
  const heard = () => {
    signals += 1
    // 130, as a shell says of a program that was interrupted.
    if (signals > (server === null ? 1 : 2)) process.exit(server === null ? 130 : 1)
    if (server === null)
      process.stderr.write('stopping as soon as the start is finished; a second signal ends the process now\n')
    stop()
  }
  for (const signal of SIGNALS) process.on(signal, heard)
  try {
    server = await start()
    if (signals > 0) stop()
    return await end
  } finally {
    for (const signal of SIGNALS) process.off(signal, heard)
  }
}
