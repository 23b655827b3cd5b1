/**
 * Writes an image as an OCI layout into a folder, for the programs that scan images. Every blob is verified against its
 * digest.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type RegistryClient, type RegistryDocument, RegistryFault } from '../../registry/index.js'

export async function writeLayout(
  registry: RegistryClient,
  repository: string,
  { bytes, digest, media }: RegistryDocument,
  blobs: readonly string[],
  folder: string,
): Promise<void> {
  const held = join(folder, 'blobs/sha256')
  await mkdir(held, { recursive: true })
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  const manifests = [{ mediaType: media, digest, size: bytes.length }]
  await writeFile(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }))
  await writeFile(join(held, hexOf(digest)), bytes)
  for (const blob of blobs) {
    const hash = createHash('sha256')
    const source = Readable.from(hashed(registry.blob(repository, blob), hash), { objectMode: false })
    await pipeline(source, createWriteStream(join(held, hexOf(blob)), { mode: 0o600 }))
    // guard: what-is-scanned-is-what-was-read
    if (`sha256:${hash.digest('hex')}` !== blob)
      throw new RegistryFault('wrong', `the content of ${blob} in the registry does not match its digest`)
  }
}

const hexOf = (digest: string): string => digest.slice('sha256:'.length)

async function* hashed(pieces: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}
