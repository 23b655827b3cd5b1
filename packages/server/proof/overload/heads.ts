/**
 * HEAD of an attachment, many times: a file handle that is left to the garbage collector is announced by newer versions of Node
 * as an error, which could end the process. Run it with the Node in question: `node` is the one that runs the proof.
 */
import { readdirSync } from 'node:fs'
import type { Target } from '../attacks/target.js'

const AT_ONCE = 20
/** Handles that others open and close meanwhile. */
const LEFT_MAX = 20

const openHandles = ({ pid }: Target): number => readdirSync(`/proc/${pid}/fd`).length

/** @param target started with `--expose-gc` or not: so many answers make the collector run by itself. */
export async function floodHeads(target: Target, heads: number) {
  const { token } = await target.signUp('header')
  const headers = { authorization: `Bearer ${token}` }
  const form = new FormData()
  form.set('file', new File(['a'.repeat(200_000)], 'note.txt', { type: 'text/plain' }))
  const made = await target.fetch('/messages/attachments', { method: 'POST', headers, body: form })
  const { data } = (await made.json()) as { data: { attachment: { id: string } } }
  const before = openHandles(target)
  const statuses = new Set<number>()
  let peak = before
  for (let left = heads; left > 0; left -= AT_ONCE) {
    const path = `/messages/attachments/${data.attachment.id}`
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => target.fetch(path, { method: 'HEAD', headers })),
    )
    for (const { status } of answers) statuses.add(status)
    peak = Math.max(peak, openHandles(target))
  }
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const left = openHandles(target) - before
  const { status } = await target.call('GET', '/health')
  const told = /garbage collection|DEP0137/.test(target.printed())
  return {
    isGood: status === 200 && !told && left <= LEFT_MAX && [...statuses].join() === '200',
    figures: `${heads} times HEAD on Node ${process.versions.node}: ${[...statuses].join()}, at most ${peak - before} handles more, ${Math.max(0, left)} left, the collector ${told ? 'found some' : 'found none'}, the process ${status === 200 ? 'answers' : 'is gone'}`,
  }
}
