/** The function behind `plumbline admin load-content`, by which an operator loads the content on the host. */
import type { Host } from '../../identity/index.js'
import { type LoadedContent, loadContent } from './load.js'

/** Publishes the content of this version of Plumbline that the store lacks or has in another form. */
export const loadHostContent = ({ runtime, osUser }: Host): Promise<LoadedContent> =>
  loadContent(runtime, `host:${osUser}`)
