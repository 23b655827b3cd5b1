/** Template tokens checked against the contract. */
import { expect, it } from 'vitest'
import type { Contract } from './schema.js'
import { tokenIssues } from './tokens.js'

const contract: Contract = {
  requiredMetadata: ['region'],
  requiredVars: ['image'],
  metadataTypes: { retries: 'number', isDry: 'bool', isWet: 'boolean' },
  varsTypes: { options: 'json' },
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: a Dockerfile and a shell write it so
it.each([
  ['no token', 'echo $HOME ${X}', []],
  ['declared as required', 'deploy {{ pipeline.metadata.region }} {{pipeline.vars.image}}', []],
  ['declared by its type', '{{ pipeline.metadata.retries | number }}', []],
  ['bool under either name', '{{ pipeline.metadata.isDry | bool }}{{ pipeline.metadata.isWet | bool }}', []],
  ['undeclared with a default', "{{ pipeline.metadata.zone | default: 'a|b' }}", []],
  ['a default and a filter', '{{ pipeline.vars.n | default: 3 | number }}', []],
  ['fields of the pipeline', '{{ pipeline.projectName }} {{ pipeline.pipelineName | default: "" }}', []],
  ['the plugin and the environment', '{{ plugin.version }} {{ env.CI }}', []],
  ['a deeper value', "{{ pipeline.vars.options.a.b | default: '' }}", []],
  ['the characters themselves', "docker inspect --format '{{{{.State}}'", []],
  ['undeclared', '{{ pipeline.vars.zone }}', ['TEMPLATE_CONTRACT_VIOLATION']],
  ['declared for the other map', '{{ pipeline.vars.region }}', ['TEMPLATE_CONTRACT_VIOLATION']],
  ['inherited names are none', '{{ pipeline.vars.toString }}', ['TEMPLATE_CONTRACT_VIOLATION']],
  ['read as another type', '{{ pipeline.metadata.retries | bool }}', ['TEMPLATE_TYPE_MISMATCH']],
  ['a text read as a number', '{{ pipeline.vars.options | number }}', ['TEMPLATE_TYPE_MISMATCH']],
  ['secrets', '{{ secrets.TOKEN }}', ['TEMPLATE_SECRETS_RESERVED']],
  ['secrets of the pipeline', "{{ pipeline.secrets.TOKEN | default: '' }}", ['TEMPLATE_SECRETS_RESERVED']],
  ['another scope', '{{ github.sha }}', ['TEMPLATE_UNKNOWN_PATH']],
  ['a scope alone', '{{ pipeline }}', ['TEMPLATE_UNKNOWN_PATH']],
  ['a map alone', '{{ pipeline.vars }}', ['TEMPLATE_UNKNOWN_PATH']],
  ['an unknown field', '{{ pipeline.owner }}', ['TEMPLATE_UNKNOWN_PATH']],
  ['not a path', '{{ .State }}', ['TEMPLATE_PARSE_ERROR']],
  ['an unknown filter', '{{ env.CI | upper }}', ['TEMPLATE_PARSE_ERROR']],
  ['a default of nothing', '{{ env.CI | default }}', ['TEMPLATE_PARSE_ERROR']],
  ['no end', 'echo {{ env.CI', ['TEMPLATE_PARSE_ERROR']],
  ['an end far away', `{{ ${'a'.repeat(2000)} }}`, ['TEMPLATE_PARSE_ERROR']],
  ['too deep', "{{ pipeline.vars.a.b.c.d | default: '' }}", ['TEMPLATE_PARSE_ERROR']],
  ['too many', '{{ env.A }}'.repeat(201), ['TEMPLATE_SIZE_EXCEEDED']],
  ['too long', `{{ env.A }}${'x'.repeat(70_000)}`, ['TEMPLATE_SIZE_EXCEEDED']],
  ['each problem once', '{{ a.b }} {{ secrets.c }}', ['TEMPLATE_UNKNOWN_PATH', 'TEMPLATE_SECRETS_RESERVED']],
])('%s', (_what, text, codes) => {
  expect(tokenIssues(text, contract).map(({ code }) => code)).toEqual(codes)
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
