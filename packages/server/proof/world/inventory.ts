/** What an organization keeps of plugins, builds, pipelines and templates, made as its people make it. */
import type { BuildQueue } from '../../src/plugin/build/index.js'
import { pluginArchive } from '../requests/files.js'
import type { Maker } from './maker.js'

const form = (file: ReturnType<typeof pluginArchive>, fields: Readonly<Record<string, string>> = {}): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  data.set(file.part, new File([file.content], file.name, { type: file.type }))
  return data
}

const propsOf = (named: Maker['named'], n: number) => ({
  metadata: { note: named(`propnote${n}`) },
  vars: { place: named(`propvar${n}`) },
  synth: {
    source: { type: 'github', options: { repo: `acme/${named(`repo${n}`)}` } },
    plugin: { name: named(`plug${n}`), version: '1.0.0' },
  },
})

/** Two of each, of which the first is public: a team is shown that of its parent. */
export async function makeInventory({ index, children, things, named, post, mark }: Maker): Promise<void> {
  for (let n = 0; n < 2; n++) {
    const seenIn = n === 0 ? [index, ...children] : [index]
    const accessModifier = n === 0 ? 'public' : 'private'
    const texts = ['plug', 'plugtext', 'plugword', 'plugkind', 'plugenv', 'plugnote'].map((what) =>
      named(`${what}${n}`),
    )
    const [name = '', description, keyword, category, value, note] = texts
    const spec = `description: ${description}\nkeywords: [${keyword}]\ncategory: ${category}\nenv: { A: ${value} }\nmetadata: { a: ${note} }\n`
    const plugin = await post('/plugins', form(pluginArchive(name, { spec }), { accessModifier }))
    things.plugin.push(plugin.data.pluginId)
    things.pluginName.push(name)
    for (const text of [...texts, plugin.data.pluginId]) mark(text, seenIn)

    const pipeline = await post('/pipelines', {
      project: named(`project${n}`),
      organization: named(`orgname${n}`),
      description: named(`pipetext${n}`),
      keywords: [named(`pipeword${n}`)],
      accessModifier,
      props: propsOf(named, n),
    })
    things.pipeline.push(pipeline.data.pipeline.id)
    for (const what of ['project', 'orgname', 'pipetext', 'pipeword', 'propnote', 'propvar', 'repo']) {
      mark(named(`${what}${n}`), seenIn)
    }
    mark(pipeline.data.pipeline.id, seenIn)

    const template = await post('/pipeline-templates', {
      name: named(`template${n}`),
      description: named(`templatetext${n}`),
      category: named(`templatekind${n}`),
      accessModifier,
      inputs: [],
      props: { ...propsOf(named, n), role: named(`templateprop${n}`) },
    })
    things.template.push(template.data.template.id)
    for (const what of ['template', 'templatetext', 'templatekind', 'templateprop']) mark(named(`${what}${n}`), seenIn)
    mark(template.data.template.id, seenIn)
  }
}

/** A build that failed for good, with what it wrote; nobody else's may wait meanwhile. */
export async function makeDeadBuild({ index, things, named, post, mark }: Maker, queue: BuildQueue): Promise<void> {
  const name = named('dead')
  const { data } = await post('/plugins', form(pluginArchive(name, { image: named('image') })))
  const claimed = await queue.claim('a builder of the proof')
  if (claimed?.jobId !== data.jobId || claimed === null) throw new Error('another build was due')
  await queue.log(claimed, `${named('buildlog')}\n`)
  await queue.fail(claimed, { category: 'docker-build', message: named('builderror'), isPermanent: true })
  things.build.push(data.jobId)
  for (const text of [name, named('image'), named('buildlog'), named('builderror'), data.jobId, data.pluginId]) {
    mark(text, [index])
  }
}

export async function makeWaitingBuild({ index, things, named, post, mark }: Maker): Promise<void> {
  const name = named('waiting')
  const { data } = await post('/plugins', form(pluginArchive(name, { image: 'debian:12' })))
  // The dead letter stays the last one: it is what most operations on builds are about.
  things.build.unshift(data.jobId)
  for (const text of [name, data.jobId, data.pluginId]) mark(text, [index])
}
