/** A small image, as a folder that skopeo pushes from, and as requests that put it into a repository. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeTar } from '../../test/support/image-tar.js'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const CONFIG = 'application/vnd.oci.image.config.v1+json'
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip'

const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const tar = makeTar([{ name: 'a', content: 'of the proof' }])
const layer = gzipSync(tar)
const config = Buffer.from(
  JSON.stringify({
    ...{ architecture: 'amd64', os: 'linux', config: {} },
    rootfs: { type: 'layers', diff_ids: [`sha256:${hex(tar)}`] },
  }),
)
const part = (mediaType: string, bytes: Uint8Array) => ({
  ...{ mediaType, digest: `sha256:${hex(bytes)}`, size: bytes.length },
})
const manifest = Buffer.from(
  JSON.stringify({
    ...{ schemaVersion: 2, mediaType: MANIFEST, config: part(CONFIG, config), layers: [part(LAYER, layer)] },
  }),
)

/** As `skopeo copy dir:FOLDER` reads it. */
export function writeImage(folder: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'version'), 'Directory Transport Version: 1.1\n')
  writeFileSync(join(folder, 'manifest.json'), manifest)
  for (const bytes of [config, layer]) writeFileSync(join(folder, hex(bytes)), bytes)
}

/** Pushes the image by requests alone, none of which reads. @returns whether the registry took it. */
export async function pushImage(registry: string, name: string, tag: string, token: string): Promise<boolean> {
  const send = (method: string, url: string | URL, body: Uint8Array | null, type: string) =>
    fetch(url, {
      ...{ method, headers: { authorization: `Bearer ${token}`, 'content-type': type } },
      ...(body === null ? {} : { body: new Uint8Array(body) }),
    })
  for (const bytes of [config, layer]) {
    const begun = await send('POST', `${registry}/v2/${name}/blobs/uploads/`, null, 'application/octet-stream')
    if (begun.status !== 202) return false
    const at = new URL(begun.headers.get('location') ?? '', registry)
    at.searchParams.set('digest', `sha256:${hex(bytes)}`)
    if ((await send('PUT', at, bytes, 'application/octet-stream')).status !== 201) return false
  }
  return (await send('PUT', `${registry}/v2/${name}/manifests/${tag}`, manifest, MANIFEST)).status === 201
}

export async function statusOfPull(registry: string, name: string, tag: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, accept: MANIFEST }
  const answer = await fetch(`${registry}/v2/${name}/manifests/${tag}`, { headers })
  await answer.arrayBuffer()
  return answer.status
}
