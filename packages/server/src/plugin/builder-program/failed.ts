/** Why a build failed, in words for its author: from its exit code, its log and its limits. */
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

/** The failure, as derived from the exit code, and from the beginning and the end of the build's log. */
export function failureOf(
  code: number | null,
  { begun, tail }: { readonly begun: string; readonly tail: string },
  limits: Pick<Limits, 'diskMb' | 'memoryMb' | 'processes'>,
  hasNetwork = false,
): Failed {
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
  if (
    /unknown instruction|dockerfile parse error|parsing Dockerfile|no FROM statement|parse error on line/i.test(last)
  ) {
    return new Failed('validation', true, `the Dockerfile is invalid: ${last}`)
  }
  if (/checking on sources under "\/context"|no items matching glob/.test(last)) {
    return new Failed('validation', true, `the Dockerfile copies what the archive does not contain: ${last}`)
  }
  if (/image not known|no such image/i.test(last)) {
    return new Failed('validation', true, `a base image is unknown: ${last}`)
  }
  // A build that began prints what it likes, and may use the same programs.
  // guard: what-a-step-prints-is-not-a-fault-of-the-machine
  if (/setpriv|unshare|bwrap|newuidmap/.test(last) && !/STEP 1/.test(begun)) {
    throw new Error(`the sandbox could not start: ${last}`)
  }
  const said = last === '' ? `the build exited with ${code}` : last
  return new Failed('docker-build', false, hasNetwork || !NO_NETWORK.test(last) ? said : `${said}\n${REACHES_NOTHING}`)
}
