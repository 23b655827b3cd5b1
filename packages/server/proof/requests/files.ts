/** The file parts of uploads: real ones, which name what the request wants named, and spoilt ones. */
import type { Operation } from '../../src/runtime/operation/operation.js'
import { makeZip } from '../../test/support/zip.js'
import type { Random } from '../world/random.js'

export interface FormFile {
  readonly part: string
  readonly name: string
  readonly type: string
  readonly content: Buffer<ArrayBuffer>
  /** What the content says, as it may come back in an answer. */
  readonly says: string
}

/** An archive of a plugin; with a Dockerfile where an image is to be built. */
export function pluginArchive(name: string, { version = '1.0.0', spec = '', image = '' } = {}): FormFile {
  const says = `name: ${name}\nversion: ${version}\ncommands: [make]\n${spec}`
  const content = makeZip([
    { name: 'plugin-spec.yaml', content: says },
    { name: 'config.yaml', content: `buildType: ${image === '' ? 'metadata_only' : 'build_image'}\n` },
    ...(image === '' ? [] : [{ name: 'Dockerfile', content: `FROM ${image}\n` }]),
  ])
  return { part: 'plugin', name: 'plugin.zip', type: 'application/zip', content, says }
}

/** @param naming gives a name that something has, of whichever organization is wanted. */
export function fileFor({ upload }: Operation & { kind: 'command' }, naming: () => string, random: Random): FormFile {
  if (upload?.contentTypes.includes('application/zip')) {
    const name = random.next() < 0.7 ? naming() : `made${random.below(1000)}`
    const version = random.pick(['1.0.0', '1.0.0', '2.0.0', '1.1.0-rc.1'])
    const isCopy = /^[a-z0-9][a-z0-9-]{0,60}$/.test(name)
    return pluginArchive(isCopy ? name : 'made', { version, image: random.next() < 0.3 ? 'debian:12' : '' })
  }
  const says = `about ${naming()}`
  return { part: upload?.part ?? 'file', name: 'note.txt', type: 'text/plain', content: Buffer.from(says), says }
}

/** The same file with a few bytes changed, cut off, doubled, or under another name. */
export function spoiltFile(file: FormFile, random: Random): FormFile {
  const content = Buffer.from(file.content)
  switch (random.below(5)) {
    case 0:
      for (let n = 0; n < 3; n++) content[random.below(content.length)] = random.below(256)
      return { ...file, content }
    case 1:
      return { ...file, content: content.subarray(0, random.below(content.length)) }
    case 2:
      return { ...file, content: Buffer.concat([content, content]) }
    case 3:
      return { ...file, name: random.pick(['../../etc/passwd', '', 'a\u0000b', 'x'.repeat(3000)]) }
    default:
      return { ...file, part: random.pick(['other', '__proto__', '']), type: random.pick(['text/html', 'x', '']) }
  }
}
