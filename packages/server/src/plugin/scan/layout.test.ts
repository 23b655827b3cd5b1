/** The folder that scanners read. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { digestOf, type RegistryClient } from '../../registry/index.js'
import { writeLayout } from './layout.js'

it('is written of what the registry has, and of nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-layout-'))
  const manifest = { bytes: Buffer.from('{}'), digest: digestOf(Buffer.from('{}')), media: 'x' }
  const registry = (bytes: string) =>
    ({
      async *blob() {
        yield Buffer.from(bytes)
      },
    }) as unknown as RegistryClient
  const blob = digestOf(Buffer.from('layer'))
  await writeLayout(registry('layer'), 'a', manifest, [blob], folder)
  expect(readdirSync(join(folder, 'blobs/sha256')).sort()).toEqual(
    [manifest.digest, blob].map((each) => each.slice(7)).sort(),
  )
  await expect(writeLayout(registry('other'), 'a', manifest, [blob], folder)).rejects.toThrow(
    'does not match its digest',
  )
  rmSync(folder, { recursive: true })
})
