/** What an operator does with the content on the host: the function behind `plumbline admin load-content`. */
import type { Host } from '../../identity/index.js'
import { type LoadedContent, loadContent } from './load.js'

/** Publishes what this version of Plumbline ships and the store does not have yet, or has otherwise. */
export const loadHostContent = ({ runtime, osUser }: Host): Promise<LoadedContent> =>
  loadContent(runtime, `host:${osUser}`)
