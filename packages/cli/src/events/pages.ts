/**
 * Turns files of runs into deliveries: pages of a forge's API, one event per line, or the output of `events fake`.
 * Pure.
 */
import type { Delivery } from './deliver.js'

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The records of a file: one JSON document, or one per line. @throws SyntaxError with the line as its cause. */
export function recordsOf(text: string): unknown[] {
  const whole = parsed(text)
  if (whole !== undefined) return flat(whole)
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const record = parsed(line)
    if (record === undefined) throw new SyntaxError(String(at + 1))
    return flat(record)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A page of GitHub holds its runs below a key; one of GitLab is a list. */
function flat(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (isObject(value) && Array.isArray(value['workflow_runs'])) return value['workflow_runs']
  return [value]
}

export function deliveryOf(format: string, record: unknown): Delivery {
  if (!isObject(record)) return { payload: record }
  const { event, payload } = record
  if (isObject(payload) && Object.keys(record).every((key) => key === 'event' || key === 'payload')) {
    return typeof event === 'string' ? { event, payload } : { payload }
  }
  if (format === 'github' && 'run_attempt' in record) {
    return { event: 'workflow_run', payload: { workflow_run: record, repository: record['repository'] } }
  }
  if (format === 'gitlab' && !('object_kind' in record)) {
    return { payload: { object_kind: 'pipeline', object_attributes: record, project: projectOf(record['web_url']) } }
  }
  return { payload: record }
}

/** `https://gitlab.example.com/acme/shop/-/pipelines/7` is a pipeline of `acme/shop`. */
function projectOf(address: unknown): Json {
  const [, origin, path] = /^(https?:\/\/[^/\s]{1,255})\/([^\s]{1,500}?)\/-\//.exec(String(address)) ?? []
  return path === undefined ? {} : { web_url: `${origin}/${path}`, path_with_namespace: path }
}
