/** Forms that are as large as an upload may be, and hold it where the server keeps texts: each ends a process that takes them in. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { Target } from '../attacks/target.js'

/** Beyond what the server has at rest, for all requests together. */
const MEMORY_MB_MAX = 160
const PIECE = Buffer.alloc(1 << 16, 'a')
const BOUNDARY = 'frontier'
const field = (name: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`

/** What comes before the endless rest of each. */
const FORMS: Readonly<Record<string, string>> = {
  'one field': field('description'),
  'a field of a name that is unknown': field('unknown'),
  'the head of a part': `--${BOUNDARY}\r\nContent-Disposition: form-data; name="`,
  'what comes before the first part': '',
}

export async function floodForms(target: Target, uploads: number, megabytes: number) {
  const { token } = await target.signUp('uploader')
  const atRest = residentMb(target.pid)
  let peak = atRest
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMb(target.pid))
  }, 20)
  const kinds = Object.values(FORMS)
  const answers = await Promise.all(
    Array.from({ length: uploads }, (_, n) => send(target, token, kinds[n % kinds.length] ?? '', megabytes)),
  )
  clearInterval(watch)
  const { status } = await target.call('GET', '/health')
  const refused = answers.filter((answer) => answer === 'refused').length
  const grown = Math.round(peak - atRest)
  return {
    isGood: refused === uploads && status === 200 && grown <= MEMORY_MB_MAX,
    figures: `${uploads} forms of ${megabytes} MB at once, ${refused} refused; memory ${Math.round(atRest)} MB at rest, ${grown} MB more at the peak`,
  }
}

/** Sends until the server answers or cuts the connection, or all is sent. */
function send({ url }: Target, token: string, begin: string, megabytes: number): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
    const sending = request(`${url}/api/plugins`, { method: 'POST', headers })
    let left = megabytes * 16
    const more = (): void => {
      while (left > 0 && !sending.destroyed) {
        left -= 1
        if (!sending.write(PIECE)) return void sending.once('drain', more)
      }
      sending.end()
    }
    sending.on('response', (response) => {
      const status = response.statusCode ?? 0
      response.resume()
      sending.destroy()
      resolve(status === 400 || status === 413 ? 'refused' : String(status))
    })
    // The server has cut it.
    sending.on('error', () => resolve('refused'))
    sending.write(begin)
    more()
  })
}

const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
