/** Specifications are read completely, and every issue has its file, line and column. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { dockerParts, makeTar } from '../../../test/support/image-tar.js'
import { makeZip, type ZipPart } from '../../../test/support/zip.js'
import { type Inspection, inspectArchive } from '../archive/inspect.js'
import { ARCHIVE_LIMITS } from '../archive/limits.js'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-manifest-'))
afterAll(() => rmSync(folder, { recursive: true }))

function inspect(files: Readonly<Record<string, string | Uint8Array>>): Promise<Inspection> {
  const path = join(folder, 'a.zip')
  writeFileSync(path, makeZip(Object.entries(files).map(([name, content]): ZipPart => ({ name, content }))))
  return inspectArchive(path, ARCHIVE_LIMITS)
}
const SPEC = 'name: web-build\nversion: 1.2.0\ncommands: [make]\n'
const DOCKERFILE = 'FROM debian:12\nUSER app\n'

/** `line:column code` of each issue of a specification. */
async function issuesOf(spec: string, more: Readonly<Record<string, string>> = { Dockerfile: DOCKERFILE }) {
  const found = await inspect({ 'plugin-spec.yaml': spec, ...more })
  return found.kind === 'manifest'
    ? found.issues.map(({ line, column, code }) => `${line}:${column} ${code}`)
    : found.kind
}

describe('a specification', () => {
  it('has defaults', async () => {
    expect(await inspect({ 'plugin-spec.yaml': SPEC, Dockerfile: DOCKERFILE })).toMatchObject({
      kind: 'plugin',
      manifest: {
        name: 'web-build',
        version: '1.2.0',
        description: null,
        keywords: [],
        category: 'unknown',
        pluginType: 'CodeBuildStep',
        computeType: 'SMALL',
        timeout: null,
        failureBehavior: 'fail',
        buildType: 'build_image',
        dockerfile: DOCKERFILE,
        baseImage: 'debian:12',
        usesRootUser: false,
        contract: { requiredMetadata: [], requiredVars: [], metadataTypes: {}, varsTypes: {} },
      },
    })
  })

  it('keeps what was written where a shell reads it', async () => {
    const spec = `${SPEC}env: { VERSION: 3.10, CI: true, MODE: 0644, EMPTY: "" }\nbuildArgs:\n  TAG: 1.0\n`
    expect(await inspect({ 'plugin-spec.yaml': spec, Dockerfile: DOCKERFILE })).toMatchObject({
      manifest: { env: { VERSION: '3.10', CI: 'true', MODE: '0644', EMPTY: '' }, buildArgs: { TAG: '1.0' } },
    })
  })

  it('holds no NUL, which neither PostgreSQL nor an argument of a program can hold', async () => {
    const spec = `${SPEC}description: "a\\0"\nbuildArgs:\n  TAG: "\\0"\nmetadata: { "b\\0": 1 }\n`
    expect(await issuesOf(spec)).toEqual(['4:1 nul', '6:3 nul', '7:1 nul'])
    const found = await inspect({ 'plugin-spec.yaml': SPEC, Dockerfile: `${DOCKERFILE}LABEL a="\0"\n` })
    expect(found).toMatchObject({
      issues: [{ file: 'Dockerfile', code: 'nul', message: expect.stringContaining('save it as text in UTF-8') }],
    })
  })

  it('may leave keys empty, and use anchors', async () => {
    const spec = `${SPEC}env:\nmetadata:\nkeywords: &k [a]\nrequiredVars: *k\nsecrets: [{ name: TOKEN }]\n`
    expect(await inspect({ 'plugin-spec.yaml': spec, Dockerfile: DOCKERFILE })).toMatchObject({
      manifest: { env: {}, secrets: [{ name: 'TOKEN', required: true }], contract: { requiredVars: ['a'] } },
    })
  })

  it.each([
    ['a step that waits for a person', 'pluginType: ManualApprovalStep\n', undefined, 'metadata_only', false],
    ['metadata alone', 'commands: [make]\n', 'buildType: metadata_only\n', 'metadata_only', false],
    ['a prebuilt image', 'commands: [make]\n', 'buildType: prebuilt\nimageTag: x\n', 'prebuilt', false],
  ])('needs no Dockerfile for %s', async (_what, more, config, buildType, usesRootUser) => {
    const files = {
      'plugin-spec.yml': `name: a\nversion: 1.0.0\n${more}`,
      ...(config === undefined ? {} : { 'config.yml': config }),
      ...(buildType === 'prebuilt' ? { 'image.tar': makeTar(dockerParts()) } : {}),
    }
    expect(await inspect(files)).toMatchObject({
      kind: 'plugin',
      manifest: { buildType, usesRootUser, dockerfile: null, baseImage: null },
    })
  })

  it('lies where config.yaml says', async () => {
    const config = 'pluginSpec: ./meta/spec.yaml\ndockerfile: docker/Dockerfile.build\n'
    const files = { 'config.yaml': config, 'meta/spec.yaml': SPEC, 'docker/Dockerfile.build': DOCKERFILE }
    expect(await inspect(files)).toMatchObject({ kind: 'plugin', manifest: { baseImage: 'debian:12' } })
  })

  it.each([
    [
      'every wrong field',
      'name: Web_Build\nversion: latest\ncommands: []\ncomputeType: HUGE\n',
      ['1:1 pattern', '2:1 pattern', '4:1 enum'],
    ],
    ['what is missing', 'description: a\n', ['1:1 required', '1:1 required']],
    ['no commands', 'name: a\nversion: 1.0.0\n', ['1:1 required']],
    ['an unknown key', `${SPEC}comands: [x]\n`, ['4:1 unknown_field']],
    ['an unknown key inside', `${SPEC}secrets:\n  - name: T\n    value: x\n`, ['6:5 unknown_field']],
    ['the second of a key', `${SPEC}name: other\n`, ['4:1 duplicate_key']],
    ['a tag of its own', `${SPEC}metadata: !custom x\n`, ['4:11 tag_resolve_failed']],
    ['a binary', `${SPEC}description: !!binary aGk=\n`, ['4:14 tag_resolve_failed']],
    ['merge keys', `${SPEC}metadata: &m { a: 1 }\nenv:\n  <<: *m\n`, ['6:3 unknown_field']],
    ['an alias of nothing', `${SPEC}metadata: *gone\n`, ['4:11 alias']],
    ['broken YAML', 'name: [a\nversion: 1\n', ['2:1 bad_indent']],
    ['an infinite number', `${SPEC}metadata: { a: .inf }\n`, ['4:16 number']],
    ['a second document', `${SPEC}---\nname: b\n`, ['4:1 documents']],
    ['a list', '- a\n', ['1:1 type']],
    ['a version with a v', 'name: a\nversion: v1.0.0\ncommands: [x]\n', ['2:1 pattern']],
    ['a version of two numbers', 'name: a\nversion: 1.0\ncommands: [x]\n', ['2:1 type']],
    ['an output folder above', `${SPEC}primaryOutputDirectory: ../out\n`, ['4:1 pattern']],
    ['a secret twice', `${SPEC}secrets: [{ name: T }, { name: T }]\n`, ['4:26 duplicate']],
    ['a secret in the environment', `${SPEC}secrets: [{ name: T }]\nenv: { T: x }\n`, ['5:8 duplicate']],
    ['a name of the prototype', `${SPEC}metadata: { __proto__: { a: 1 } }\n`, ['4:13 unsafe_key']],
    [
      'a token',
      `${SPEC}env:\n  A: "{{ pipeline.vars.a }}"\n  B: "{{ secrets.b }}"\n`,
      ['5:3 TEMPLATE_CONTRACT_VIOLATION', '6:3 TEMPLATE_SECRETS_RESERVED'],
    ],
    [
      '21 build arguments',
      `${SPEC}buildArgs:\n${Array.from({ length: 21 }, (_, n) => `  A${n}: x\n`).join('')}`,
      ['4:1 maxProperties'],
    ],
    ['another Dockerfile', `${SPEC}dockerfile: Dockerfile.prod\n`, ['4:1 missing_file']],
    ['an empty file', '', ['1:1 empty']],
  ])('names %s', async (_what, spec, issues) => {
    expect(await issuesOf(spec)).toEqual(issues)
  })

  it.each([
    [
      'no specification',
      { 'readme.md': 'x' },
      'plugin-spec.yaml is not at the root of the archive: the specification of a plugin is there',
    ],
    ['a packed folder', { 'web/plugin-spec.yaml': SPEC }, 'it is in the folder web: pack the contents of the folder'],
    [
      'two specifications',
      { 'plugin-spec.yaml': SPEC, 'plugin-spec.yml': SPEC },
      'plugin-spec.yml exists in addition to plugin-spec.yaml',
    ],
    ['no Dockerfile', { 'plugin-spec.yaml': SPEC }, 'Dockerfile is not at the root of the archive'],
    [
      'an image of something else',
      { 'plugin-spec.yaml': SPEC, 'config.yaml': 'buildType: prebuilt', 'image.tar': 'layers' },
      'image.tar cannot be read: it ends in the middle of a file',
    ],
    ['no image', { 'plugin-spec.yaml': SPEC, 'config.yaml': 'buildType: prebuilt' }, 'image.tar is not at the root'],
    ['a Dockerfile of nothing', { 'plugin-spec.yaml': SPEC, Dockerfile: '# later\n' }, 'Dockerfile there is no FROM'],
    [
      'a Dockerfile without a use',
      { 'plugin-spec.yaml': `${SPEC}dockerfile: D\n`, 'config.yaml': 'buildType: prebuilt', 'image.tar': 'x' },
      'plugin-spec.yaml has no meaning for prebuilt',
    ],
    [
      'a specification elsewhere',
      { 'config.yaml': 'pluginSpec: gone.yaml' },
      'config.yaml names a file that is not in the archive',
    ],
    [
      'an unknown key of config.yaml',
      { 'config.yaml': 'image: x', 'plugin-spec.yaml': SPEC },
      'config.yaml is not a known field',
    ],
    [
      'an image for a person',
      {
        'config.yaml': 'buildType: build_image',
        'plugin-spec.yaml': 'name: a\nversion: 1.0.0\npluginType: ManualApprovalStep\n',
        Dockerfile: DOCKERFILE,
      },
      'config.yaml a ManualApprovalStep has no image',
    ],
  ] as [string, Record<string, string>, string][])('with %s is refused', async (_what, files, message) => {
    const found = await inspect(files)
    const texts = found.kind === 'manifest' ? found.issues.map(({ file, message: text }) => `${file} ${text}`) : []
    expect(texts.join('\n')).toContain(message)
  })

  it.each([
    ['more than a megabyte', { 'plugin-spec.yaml': `${SPEC}# ${'x '.repeat(600_000)}` }, 'text'],
    ['no UTF-8', { 'plugin-spec.yaml': 'name: \u0000' }, null],
  ] as [string, Record<string, string>, string | null][])('of %s is refused', async (_what, files, code) => {
    const found = await inspect(files)
    expect(found.kind).toBe(code === null ? 'manifest' : 'archive')
  })

  it.each([
    ['a block', (keys: string[]) => `metadata:\n${keys.map((key) => `  ${key}: 1\n`).join('')}`],
    ['a flow', (keys: string[]) => `metadata: {${keys.map((key) => `${key}: 1`).join(', ')}}\n`],
    ['keys without values', (keys: string[]) => `metadata: {${keys.join(', ')}}\n`],
  ])('counts the keys of a map before they are compared: %s', async (_, write) => {
    const keys = Array.from({ length: 1001 }, (_each, n) => `k${n}`)
    expect(await issuesOf(`${SPEC}${write(keys)}`)).toEqual([expect.stringMatching(/^\d+:\d+ keys$/)])
    expect(await issuesOf(`${SPEC}${write(keys.slice(1))}`)).not.toContainEqual(expect.stringMatching(/ keys$/))
    // Items of a list are not compared with one another.
    expect(await issuesOf(`${SPEC}keywords: [${keys.join(', ')}]\n`)).not.toContainEqual(
      expect.stringMatching(/ keys$/),
    )
  })

  it('with many aliases, or deep, is refused', async () => {
    expect(await issuesOf(`${SPEC}metadata:\n  a: &a x\n  b: [${'*a, '.repeat(101)}]\n`)).toEqual(['6:407 aliases'])
    expect(await issuesOf(`${SPEC}metadata: ${'['.repeat(200)}${']'.repeat(200)}\n`)).toEqual(['1:1 depth'])
    const bomb = ['a: &a0 [x]', ...Array.from({ length: 8 }, (_, n) => `b${n}: &a${n + 1} [${`*a${n}, `.repeat(10)}]`)]
    expect(await issuesOf(`${SPEC}metadata:\n  ${bomb.join('\n  ')}\n`)).toHaveLength(1)
  })
})
