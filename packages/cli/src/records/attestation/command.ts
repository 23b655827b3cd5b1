/** Specifications of `plumbline plugins sbom`, `provenance` and `scan`: documents about the image of a plugin. */
import type { CommandSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'

const argument = { syntax: '<plugin>', description: 'id, or name@version; the name alone is its default version' }

export const sbomCommand: CommandSpec = {
  name: 'sbom',
  summary: 'show what is installed in the image of a plugin',
  description: 'The bill of materials in CycloneDX 1.6, written from the layers of the image.',
  arguments: [argument],
  options: [outputOption, ...serverOptions],
  examples: [
    { command: 'plumbline plugins sbom node-build -o sbom.json', explanation: 'for a program that reads CycloneDX' },
  ],
  load: () => import('./show-sbom.js'),
}

export const provenanceCommand: CommandSpec = {
  name: 'provenance',
  summary: 'show or verify what the image of a plugin was built from',
  description:
    'The signed statement (in-toto with SLSA provenance, in a DSSE envelope). With --verify it is checked against your keys and the image: exit 1 when it does not match.',
  arguments: [argument],
  options: [
    { flags: '--verify', description: 'check the signature by the keys of --key, and which image it is about' },
    {
      flags: '--key <file>',
      description:
        'public keys in PEM that you trust, as `GET /api/registry/provenance-keys` shows them; a file may hold several',
    },
    { flags: '--digest <digest>', description: 'digest of your image; by default, of the image of the plugin' },
    outputOption,
    ...serverOptions,
  ],
  examples: [
    {
      command: 'plumbline plugins provenance node-build -o provenance.json',
      explanation: 'the envelope, for other verifiers',
    },
    {
      command: 'plumbline plugins provenance node-build --verify --key plumbline.pem',
      explanation: 'exit 0: signed by that key, about the image of the plugin',
    },
  ],
  load: () => import('./show-provenance.js'),
}

export const scanImageCommand: CommandSpec = {
  name: 'scan',
  summary: 'report what a scanner found in the image of a plugin',
  description: 'SARIF 2.1 or `{"scanner", "findings"}`; takes the scope images:scan.',
  arguments: [argument],
  options: [
    { flags: '--file <report>', description: 'the report in JSON' },
    { flags: '--digest <digest>', description: 'digest of the scanned image; by default, of the image of the plugin' },
    formatOption('yaml'),
    outputOption,
    ...serverOptions,
  ],
  examples: [
    {
      command: 'plumbline plugins scan node-build --file report.sarif',
      explanation: 'replaces the last one',
    },
  ],
  load: () => import('./send-scan.js'),
}
