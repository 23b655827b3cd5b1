/**
 * Runs the programs that an operator configured to scan images. Where a program succeeds, its report is used; where it
 * fails, there is none.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RegistryClient, RegistryDocument } from '../../registry/index.js'
import { toIso } from '../../runtime/clock.js'
import type { JobContext } from '../../runtime/jobs/define.js'
import type { Vulnerabilities } from '../image/built-image.js'
import { type GivenBom, readBom } from './given-bom.js'
import { writeLayout } from './layout.js'
import { ReportFault, readReport } from './report.js'
import { runTool, ToolFault } from './run-tool.js'

export interface Looked {
  /** Null when no scanner is configured, or when it failed. */
  readonly vulnerabilities: Vulnerabilities | null
  /** Null when no program provides a bill of materials: the server then writes its own. */
  readonly bom: GivenBom | null
}

type Looking = Pick<JobContext, 'runtime' | 'nowMs'>

/** @throws RegistryFault */
export async function lookAt(
  context: Looking,
  registry: RegistryClient,
  repository: string,
  manifest: RegistryDocument,
  blobs: readonly string[],
): Promise<Looked> {
  const { PLUGIN_SCAN_COMMAND: scan, PLUGIN_SBOM_COMMAND: sbom } = context.runtime.settings
  if (scan === null && sbom === null) return { vulnerabilities: null, bom: null }
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-image-'))
  try {
    await writeLayout(registry, repository, manifest, blobs, folder)
    const report = scan === null ? null : await told(context, 'PLUGIN_SCAN_COMMAND', scan, folder, readReport)
    const bom = sbom === null ? null : await told(context, 'PLUGIN_SBOM_COMMAND', sbom, folder, readBom)
    const scannedAt = toIso(context.nowMs)
    const vulnerabilities = report === null ? null : { ...report.counts, scanner: report.scanner, scannedAt }
    return { vulnerabilities, bom }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function told<T>(
  { runtime }: Looking,
  setting: string,
  command: string,
  folder: string,
  read: (value: unknown) => T,
): Promise<T | null> {
  const { DATA_DIR: dataDir, PLUGIN_SCAN_TIMEOUT_SECONDS: seconds } = runtime.settings
  try {
    const output = await runTool({ command, folder, dataDir, timeoutMs: seconds * 1000 })
    return read(jsonOf(output))
  } catch (error) {
    if (!(error instanceof ToolFault) && !(error instanceof ReportFault)) throw error
    const why = error instanceof ReportFault ? `${error.path} ${error.message}` : error.message
    runtime.log?.write('plugin.image_tool_failed', { setting, reason: why })
    return null
  }
}

function jsonOf(output: Buffer): unknown {
  try {
    return JSON.parse(output.toString('utf8'))
  } catch {
    throw new ToolFault('it did not print JSON')
  }
}
