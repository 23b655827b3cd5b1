/** Small images in the format of `docker save` and OCI tools, with any defect that a test needs. */
import { createHash } from 'node:crypto'

export interface TarPart {
  readonly name: string
  readonly content?: string | Buffer
  readonly type?: string
  readonly linkTo?: string
}

/** A tar file with POSIX headers. */
export function makeTar(parts: readonly TarPart[]): Buffer {
  const blocks = parts.flatMap(({ name, content = '', type = '0', linkTo = '' }) => {
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0, 100)
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(linkTo, 157, 100)
    header.write('ustar\0' + '00', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

const LAYER = Buffer.from('a layer')

export const configOf = (config: object | null = { User: 'app' }, layers = [LAYER]): string =>
  JSON.stringify({ config, rootfs: { type: 'layers', diff_ids: layers.map((each) => `sha256:${digestOf(each)}`) } })

export function dockerParts(config = configOf()): TarPart[] {
  const name = `${digestOf(config)}.json`
  return [
    { name: 'l1/', type: '5' },
    { name: 'l1/layer.tar', content: LAYER },
    { name, content: config },
    { name: 'manifest.json', content: JSON.stringify([{ Config: name, RepoTags: ['a:1'], Layers: ['l1/layer.tar'] }]) },
  ]
}

export function ociParts(config = configOf()): TarPart[] {
  const blob = (content: string | Buffer): TarPart => ({ name: `blobs/sha256/${digestOf(content)}`, content })
  const descriptor = (content: string | Buffer) => ({
    digest: `sha256:${digestOf(content)}`,
    size: Buffer.byteLength(content),
  })
  const manifest = JSON.stringify({ schemaVersion: 2, config: descriptor(config), layers: [descriptor(LAYER)] })
  return [
    { name: 'oci-layout', content: '{"imageLayoutVersion":"1.0.0"}' },
    blob(config),
    blob(LAYER),
    blob(manifest),
    { name: 'index.json', content: JSON.stringify({ schemaVersion: 2, manifests: [descriptor(manifest)] }) },
  ]
}
