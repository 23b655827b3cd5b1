/** Why a build failed, in words for its author: from its exit code, its log and its limits. */
import { instructionsOf } from '../dockerfile/facts.js'
import { Faulty } from './fault-reasons.js'
import { type Limits, SMOKE_CODE } from './sandbox-command.js'

/** How a build failed, for the server. */
export class Failed extends Error {
  constructor(
    readonly category: string,
    readonly isPermanent: boolean,
    message: string,
  ) {
    super(message)
  }
}

/** Which limit the build exceeded, and which setting an operator can raise. */
const exceeded = (what: string, option: string, setting: string): Failed =>
  new Failed('quota', true, `${what}: take less, or have an operator raise ${setting} (${option} of a builder)`)
export const imageTooLarge = ({ imageMb }: Pick<Limits, 'imageMb'>): Failed =>
  exceeded(`the image has more than ${imageMb} MiB`, '--image-mb', 'PLUGIN_IMAGE_MAX_MB')
export const outOfMemory = ({ memoryMb }: Pick<Limits, 'memoryMb'>): Failed =>
  exceeded(`the build needed more than ${memoryMb} MiB of memory`, '--memory-mb', 'PLUGIN_BUILD_MEMORY_MB')

/** What programs print that find no network. */
const NO_NETWORK =
  /dial tcp|could not resolve|temporary failure (?:in name resolution|resolving)|network is unreachable|bad address|EAI_AGAIN|ENETUNREACH/i
const REACHES_NOTHING =
  'builds reach no network here: put what they need into the archive, or have an operator list the hosts in PLUGIN_BUILD_EGRESS (--egress of a builder)'

/** What is known of a build beside its exit code. */
export interface Evidence {
  /** The beginning and the end of the log. */
  readonly begun: string
  readonly tail: string
  readonly dockerfile?: string
  /** Names of the secrets that the build was given. */
  readonly given?: readonly string[]
}

/** How buildah ends when an instruction fails: the instruction in quotes, and the reason. */
const AT_STEP = 'Error: building at STEP "'

function failedStep(last: string): { readonly step: string; readonly why: string } {
  const from = last.indexOf(AT_STEP)
  const to = last.lastIndexOf('": ')
  if (from === -1 || to < from + AT_STEP.length) return { step: '', why: '' }
  return { step: last.slice(from + AT_STEP.length, to), why: last.slice(to + 3) }
}

/** What it says of an instruction that no attempt can carry out. A program that a step runs ends as `exit status`. */
const CANNOT_WORK =
  /only supports|requires (?:exactly|at least|one|two)|must have|unknown type|unknown (?:user|group) error|unknown flag/i

/** A fault of the Dockerfile, which every attempt would meet again; null for any other. */
function faultOf(last: string, { dockerfile = '', given = [] }: Evidence): Failed | null {
  const { step, why } = failedStep(last)
  // guard: a-step-without-its-secret-fails-at-once
  const missing = secretsOf(step).find((name) => !given.includes(name))
  if (missing !== undefined) {
    return new Failed(
      'auth-secrets',
      true,
      `a step mounts the secret ${missing}, which the build was not given: declare it under \`secrets\` of plugin-spec.yaml, and release it with \`plumbline secrets set ${missing} --plugin\`: ${last}`,
    )
  }
  if (/unknown instruction/i.test(last) && [...instructionsOf(dockerfile)].some(hasHereDocument)) {
    return invalid(
      `the builder reads no here-documents (\`<<EOF\`): join the commands with \`&&\`, or put a file into the archive and COPY it: ${last}`,
    )
  }
  if (/unknown instruction|dockerfile parse error|parsing Dockerfile|no FROM statement|parse error on line/i.test(last))
    return invalid(`the Dockerfile is invalid: ${last}`)
  if (/checking on sources under "\/context"|no items matching glob/.test(last))
    return invalid(`the Dockerfile copies what the archive does not contain: ${last}`)
  if (/image not known|no such image/i.test(last)) {
    const platform = platformOf(dockerfile)
    return invalid(
      platform === undefined
        ? `a base image is unknown: ${last}`
        : `the base image is of another platform than ${platform}: leave out --platform, because a builder builds for its own: ${last}`,
    )
  }
  // guard: an-instruction-that-cannot-work-fails-at-once
  if (CANNOT_WORK.test(why)) return invalid(`the Dockerfile is invalid: ${last}`)
  return null
}

const invalid = (message: string): Failed => new Failed('validation', true, message)

interface Instruction {
  readonly keyword: string
  readonly rest: string
}

const hasHereDocument = ({ keyword, rest }: Instruction): boolean =>
  ['RUN', 'COPY', 'ADD'].includes(keyword) && /<<-?["']?[A-Za-z_]/.test(rest)

/** The first platform that a FROM asks for. */
function platformOf(dockerfile: string): string | undefined {
  const words = [...instructionsOf(dockerfile)].flatMap(({ keyword, rest }) =>
    keyword === 'FROM' ? rest.split(/\s+/) : [],
  )
  return words.find((word) => word.startsWith('--platform='))?.slice('--platform='.length)
}

/** The ids of the secrets that a step mounts; without an id it is the name of the file. */
function secretsOf(step: string): string[] {
  const mounts = step.split(/\s+/).filter((word) => word.startsWith('--mount='))
  return mounts.flatMap((mount) => {
    const members = new Map(
      mount
        .slice('--mount='.length)
        .split(',')
        .map((member): [string, string] => [member.split('=', 1)[0] ?? '', member.slice(member.indexOf('=') + 1)]),
    )
    const target = members.get('target') ?? members.get('dst') ?? members.get('destination')
    const name = members.get('id') ?? target?.split('/').at(-1)
    return members.get('type') === 'secret' && name !== undefined ? [name] : []
  })
}

/** The failure, as derived from the exit code, the beginning and the end of the build's log, and what it was given. */
export function failureOf(
  code: number | null,
  evidence: Evidence,
  limits: Pick<Limits, 'diskMb' | 'memoryMb' | 'processes'>,
  hasNetwork = false,
): Failed {
  const { begun, tail } = evidence
  const last = tail.trim().split('\n').slice(-3).join('\n').slice(-1500)
  // A program that gets no thread prints its stack after the reason.
  const isCrowded = /pthread_create failed: Resource temporarily unavailable/.test(tail)
  if (code === SMOKE_CODE && !isCrowded) return new Failed('docker-build', true, `the smoke test failed: ${last}`)
  if (/No space left on device|Input\/output error/i.test(tail)) {
    return exceeded(`the build wrote more than ${limits.diskMb} MiB`, '--disk-mb', 'PLUGIN_BUILD_DISK_MB')
  }
  // A Go program prints its stack after the reason.
  if (/^fatal error: .*memory/m.test(tail) || /out of memory|cannot allocate memory|memory exhausted/i.test(last)) {
    return outOfMemory(limits)
  }
  if (isCrowded || /(?:can.t|cannot|unable to) fork|fork failed|Resource temporarily unavailable/i.test(last)) {
    const { processes } = limits
    return exceeded(`the build needed more than ${processes} processes`, '--processes', 'PLUGIN_BUILD_PIDS')
  }
  const fault = faultOf(last, evidence)
  if (fault !== null) return fault
  // A build that began prints what it likes, and may use the same programs.
  // guard: what-a-step-prints-is-not-a-fault-of-the-machine
  if (/setpriv|unshare|bwrap|newuidmap/.test(last) && !/STEP 1/.test(begun)) {
    throw new Faulty('sandbox', `the sandbox could not start: ${last}`)
  }
  const said = last === '' ? `the build exited with ${code}` : last
  // `apt-get update` goes on without its lists, and what fails then does not speak of a network.
  return new Failed('docker-build', false, hasNetwork || !NO_NETWORK.test(tail) ? said : `${said}\n${REACHES_NOTHING}`)
}
