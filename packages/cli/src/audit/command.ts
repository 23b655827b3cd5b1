/** Specification of `plumbline audit …`: making, reading and verifying audit evidence, all without a server. */
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.js'
import { dataOptions, formatOption, outputOption } from '../program/output-options.js'
import { serverOptions } from '../remote/options.js'

const keyOption: OptionSpec = {
  flags: '--key <file>',
  description: 'verifier keys you got from the log’s operator, and of witnesses, one a line',
  repeatable: true,
}
const logArgument: ArgumentSpec = { syntax: '<file>', description: 'bundle, or bare rows as JSON Lines; - for stdin' }

const verifyCommand: CommandSpec = {
  name: 'verify',
  summary: 'check whether a log is valid',
  description:
    'Checks every row, every link, every commitment, the tree, the checkpoints and their signatures, offline. Exits 0 ' +
    'when the log is valid, 1 when it is invalid, 3 when it cannot be decided, 2 when the command is wrong. Keys inside the ' +
    'file find contradictions but are not trusted: give the operator’s with --key.',
  arguments: [{ ...logArgument, syntax: '[file]', description: `${logArgument.description}, or left out` }],
  options: [
    { flags: '--checkpoint <file>', description: 'checkpoint that you kept outside the log', repeatable: true },
    keyOption,
    { flags: '--chain <name>', description: 'chain that the file must hold; the file’s own when left out' },
    { flags: '--chain-only', description: 'exit 0 when no checkpoint is there and the rows are consistent' },
    { flags: '--trust-file-keys', description: 'trust the keys inside the file as those of the operator' },
    {
      flags: '--server',
      description: 'download the log of the organization from the server, and verify it here',
    },
    {
      flags: '--check-log [file]',
      description:
        'compare the check log (`GET /compliance/audit/export`) with its seals in the chain: name its file, or download it with --server',
    },
    ...serverOptions,
    ...dataOptions,
  ],
  examples: [
    { command: 'plumbline audit verify log.jsonl --key audit.pub', explanation: 'with the operator’s key' },
    {
      command: 'plumbline audit verify log.jsonl --key audit.pub --checkpoint last-month.txt',
      explanation: 'against a checkpoint that you kept: not even the key’s holder can have changed what it covers',
    },
    {
      command: 'plumbline audit verify --server --key audit.pub',
      explanation: 'verify the log of a server here, without trusting the server',
    },
    {
      command: 'plumbline audit verify --server --check-log --key audit.pub',
      explanation: 'the check log too: no check was changed, removed or added',
    },
    { command: 'zcat log.jsonl.gz | plumbline audit verify - --key audit.pub', explanation: 'from a pipe' },
  ],
  load: () => import('./verify.js'),
}

const exportCommand: CommandSpec = {
  name: 'export',
  summary: 'write the log of an organization on a server to a file that verifies without it',
  description:
    'Downloads the audit bundle: every event of the organization that was not pruned, the signed checkpoints and the keys. ' +
    'The permission `audit:read` is needed. The file is complete when the command exits 0; while it is being written its name ends in .partial.',
  options: [
    { flags: '-o, --output <file>', description: 'file to write; stdout when left out' },
    { flags: '--server <address>', description: 'the same as --url' },
    ...serverOptions,
  ],
  examples: [
    { command: 'plumbline audit export --output log.jsonl', explanation: 'of the organization that `login` chose' },
    {
      command: 'plumbline audit export --server https://plumbline.example.com --org acme --output acme.jsonl',
      explanation: 'of another server and organization',
    },
  ],
  load: () => import('./export.js'),
}

const tailCommand: CommandSpec = {
  name: 'tail',
  summary: 'show the newest events of an organization on a server',
  options: [
    { flags: '-n, --lines <number>', description: 'how many', integer: { min: 1, max: 1000 }, default: 10 },
    { flags: '--follow', description: 'keep showing new events until the command is interrupted' },
    { flags: '--action <text>', description: 'only actions whose name contains this text' },
    ...serverOptions,
    { ...formatOption('table'), description: 'form of the output: with json one line for each event' },
  ],
  examples: [{ command: 'plumbline audit tail --follow --action member', explanation: 'who joins and leaves' }],
  load: () => import('./tail.js'),
}

const inspectCommand: CommandSpec = {
  name: 'inspect',
  summary: 'show what a log holds: chain, span, checkpoints, keys, events',
  arguments: [logArgument],
  options: [{ flags: '--seq <range>', description: 'events to show, such as 7 or 100-120' }, ...dataOptions],
  examples: [
    { command: 'plumbline audit inspect log.jsonl', explanation: 'an overview' },
    { command: 'plumbline audit inspect log.jsonl --seq 7', explanation: 'one event, in full' },
  ],
  load: () => import('./inspect.js'),
}

const proveCommand: CommandSpec = {
  name: 'prove',
  summary: 'cut one event out of a log, with the proof that it is in it',
  description:
    'Prints a bundle of one event and its inclusion proof, which `audit verify` accepts without the rest of the log; with ' +
    '--format tlog-proof the proof alone (C2SP tlog-proof).',
  arguments: [
    { syntax: '<seq>', description: 'sequence number of the event' },
    { syntax: '<file>', description: 'bundle; - for stdin' },
  ],
  options: [
    {
      flags: '-f, --format <name>',
      description: 'what to print',
      choices: ['bundle', 'tlog-proof'],
      default: 'bundle',
    },
    outputOption,
  ],
  examples: [
    { command: 'plumbline audit prove 42 log.jsonl > event-42.jsonl', explanation: 'evidence of one event' },
    { command: 'plumbline audit verify event-42.jsonl --key audit.pub', explanation: 'the receiver verifies it' },
  ],
  load: () => import('./prove.js'),
}

const checkpointCommand: CommandSpec = {
  name: 'checkpoint',
  summary: 'work with signed checkpoints',
  examples: [{ command: 'plumbline audit checkpoint verify cp.txt --key audit.pub', explanation: 'who signed it?' }],
  subcommands: [
    {
      name: 'verify',
      summary: 'show who signed a checkpoint, and whether its text was changed since',
      arguments: [{ syntax: '<file>', description: 'signed note, or a bundle with checkpoints; - for stdin' }],
      options: [keyOption, ...dataOptions],
      examples: [
        { command: 'plumbline audit checkpoint verify cp.txt --key audit.pub', explanation: 'who signed it?' },
      ],
      load: () => import('./checkpoint-verify.js'),
    },
  ],
}

const keygenCommand: CommandSpec = {
  name: 'keygen',
  summary: 'make a signing key and its verifier key',
  arguments: [{ syntax: '<file>', description: 'file for the signing key; the verifier key is written to <file>.pub' }],
  options: [
    { flags: '--name <name>', description: 'name of the key', default: 'plumbline-audit' },
    { flags: '--witness', description: 'a key for a witness: it cosigns checkpoints with a time' },
  ],
  examples: [
    { command: 'plumbline audit keygen audit.key', explanation: 'for a log' },
    { command: 'plumbline audit keygen w1.key --witness --name witness.example/w1', explanation: 'for a witness' },
  ],
  load: () => import('./keygen.js'),
}

const scrubCommand: CommandSpec = {
  name: 'scrub',
  summary: 'show what scrubbing would remove from details before they are hashed',
  arguments: [{ syntax: '[file]', description: 'JSON, or JSON Lines; stdin when left out' }],
  options: dataOptions,
  examples: [{ command: 'plumbline audit scrub details.json', explanation: 'paths and kinds, never values' }],
  load: () => import('./scrub.js'),
}

const sealCommand: CommandSpec = {
  name: 'seal',
  summary: 'seal events into a chain and write a signed bundle',
  arguments: [{ syntax: '<file>', description: 'events as JSON Lines; - for stdin' }],
  options: [
    { flags: '--key <file>', description: 'signing key that `audit keygen` made' },
    { flags: '-o, --output <file>', description: 'bundle to write' },
    { flags: '--origin <name>', description: 'name of the deployment', default: 'localhost' },
    { flags: '--continue <file>', description: 'bundle whose chain the events continue' },
  ],
  examples: [
    {
      command: 'plumbline audit seal events.jsonl --key audit.key --origin audit.example.com --output log.jsonl',
      explanation: 'a first log',
    },
    {
      command: 'plumbline audit seal more.jsonl --key audit.key --continue log.jsonl --output log2.jsonl',
      explanation: 'and on',
    },
  ],
  load: () => import('./seal.js'),
}

const eraseCommand: CommandSpec = {
  name: 'erase',
  summary: 'erase personal data or details of events, with the event that explains it',
  arguments: [{ syntax: '<file>', description: 'complete bundle' }],
  options: [
    { flags: '--part <name>', description: 'what to erase', choices: ['identity', 'details'] },
    { flags: '--seq <range>', description: 'events to erase from, such as 7 or 100-120', repeatable: true },
    { flags: '--key <file>', description: 'signing key of the log' },
    { flags: '-o, --output <file>', description: 'bundle to write' },
  ],
  examples: [
    {
      command: 'plumbline audit erase log.jsonl --part identity --seq 7 --key audit.key --output erased.jsonl',
      explanation: 'email, address and user agent of event 7',
    },
  ],
  load: () => import('./erase.js'),
}

const witnessCommand: CommandSpec = {
  name: 'witness',
  summary: 'run a witness, or ask one to cosign a log’s checkpoint',
  description:
    'A witness keeps one size and root for each log and cosigns a checkpoint only when a consistency proof shows that it ' +
    'continues the last one (C2SP tlog-witness). With two independent witnesses a fork cannot be hidden.',
  examples: [
    {
      command: 'plumbline audit witness serve --key w1.key --log audit.pub=audit.example.com/acme --state w1.json',
      explanation: 'the daemon',
    },
    {
      command: 'plumbline audit witness request log.jsonl --url http://localhost:8383 --output log.jsonl',
      explanation: 'the log’s side: adds the cosignature to the bundle',
    },
  ],
  subcommands: [
    {
      name: 'serve',
      summary: 'run a witness',
      options: [
        { flags: '--key <file>', description: 'signing key that `audit keygen --witness` made' },
        {
          flags: '--log <key=origin>',
          description: 'log to watch: file with its verifier keys, `=`, the origin line of its checkpoints',
          repeatable: true,
        },
        {
          flags: '--state <file>',
          description: 'where the witness keeps what it cosigned',
          default: 'witness-state.json',
        },
        { flags: '--port <number>', description: 'port to listen on', default: 8383, integer: { min: 0, max: 65_535 } },
        { flags: '--host <name>', description: 'address to listen on', default: '127.0.0.1' },
      ],
      examples: [
        {
          command: 'plumbline audit witness serve --key w1.key --log audit.pub=audit.example.com/acme',
          explanation: 'until it is interrupted',
        },
      ],
      load: () => import('./witness-serve.js'),
    },
    {
      name: 'request',
      summary: 'have a witness cosign the newest checkpoint of a bundle',
      arguments: [{ syntax: '<file>', description: 'complete bundle' }],
      options: [
        { flags: '--url <url>', description: 'submission prefix of the witness' },
        { flags: '--key <file>', description: 'verifier key of the witness; its cosignature is checked with it' },
        { flags: '-o, --output <file>', description: 'bundle to write, with the cosignature' },
      ],
      examples: [
        {
          command:
            'plumbline audit witness request log.jsonl --url http://localhost:8383 --key w1.key.pub --output log.jsonl',
          explanation: 'adds the cosignature to the bundle',
        },
      ],
      load: () => import('./witness-request.js'),
    },
  ],
}

export const auditCommand: CommandSpec = {
  name: 'audit',
  summary: 'seal, prove and verify audit evidence',
  examples: [
    { command: 'plumbline audit verify log.jsonl --key audit.pub', explanation: 'is this log what it claims to be?' },
    { command: 'plumbline audit prove 42 log.jsonl > event-42.jsonl', explanation: 'evidence of one event' },
  ],
  subcommands: [
    verifyCommand,
    exportCommand,
    tailCommand,
    inspectCommand,
    proveCommand,
    checkpointCommand,
    keygenCommand,
    scrubCommand,
    sealCommand,
    eraseCommand,
    witnessCommand,
  ],
}
