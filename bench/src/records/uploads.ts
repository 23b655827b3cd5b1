/** Uploads of small and large plugins: the duration of each, and the peak memory of the server. */
import { randomBytes } from 'node:crypto'
import { makeZip } from '../../../packages/server/test/support/zip.js'
import type { BenchOptions, BenchTable } from '../harness.js'
import type { Person, ServerProcess } from './process.js'

const MiB = 1024 ** 2

/** Content that cannot be compressed, so that all of it is transferred. */
const archive = (name: string, bytes: number): Buffer<ArrayBuffer> =>
  makeZip([
    { name: 'plugin-spec.yaml', content: `name: ${name}\nversion: 1.0.0\ncommands: [make]\n` },
    { name: 'config.yaml', content: 'buildType: build_image\n' },
    { name: 'Dockerfile', content: 'FROM debian:12\nUSER app\n' },
    { name: 'context.bin', content: randomBytes(bytes), method: 0 },
  ])

async function upload(server: ServerProcess, person: Person, zip: Buffer<ArrayBuffer>): Promise<number> {
  const form = new FormData()
  form.append('plugin', new File([zip], 'plugin.zip', { type: 'application/zip' }))
  const startedMs = performance.now()
  const response = await fetch(`${server.url}/api/plugins`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.accessToken}`, 'x-org-id': person.orgId },
    body: form,
  })
  const text = await response.text()
  if (response.status !== 202) throw new Error(`the upload answered ${response.status}: ${text.slice(0, 300)}`)
  return performance.now() - startedMs
}

/** @param open starts a new server on an empty folder, because the peak memory of a process never decreases. */
export async function uploadTable(open: () => Promise<ServerProcess>, { quick }: BenchOptions): Promise<BenchTable> {
  const rows: (string | number)[][] = []
  for (const size of quick ? [1, 4] : [1, 10, 100]) {
    const server = await open()
    try {
      const person = await server.register()
      // Warms up code and connection pools, which are not measured.
      for (let n = 0; n < 3; n++) await upload(server, person, archive(`warm-${n}`, MiB))
      const zip = archive('measured', size * MiB)
      const before = server.memory().now
      const tookMs = await upload(server, person, zip)
      const { peak } = server.memory()
      const shown = (bytes: number) => (bytes / MiB).toFixed(0)
      rows.push([
        `${size} MiB`,
        (tookMs / 1000).toFixed(2),
        shown(before),
        shown(peak),
        shown(Math.max(0, peak - before)),
      ])
    } finally {
      await server.stop()
    }
  }
  return {
    title: 'POST /plugins: an archive, read, checked and stored',
    unit: 's, MiB',
    columns: ['archive', 'time', 'resident before', 'peak', 'growth'],
    rows,
    note: 'Resident memory of the server’s process, which was warmed by three uploads of 1 MiB; the archive is read by a process of its own. Required: the growth does not follow the size.',
  }
}
