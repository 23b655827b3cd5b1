/** Opens an address in the person's browser. */
import { spawn } from 'node:child_process'

const PROGRAMS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Not `start`, because a shell would interpret characters of the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** @returns false if no program on the machine can open it. */
export function openBrowser(address: string): Promise<boolean> {
  const [program, ...first] = PROGRAMS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...first, address], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
