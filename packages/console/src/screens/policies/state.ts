/** What the address of the screen keeps: tab, search, page, and of the open sheet its part, comparison and page. */
import { useRead } from '../../data/api.js'
import { pageOf } from '../../data/rows.js'
import { oneOf, pageNumber, text } from '../../data/url-state.js'

export const STATE = {
  tab: oneOf(['live', 'deleted'], 'live'),
  q: text(),
  page: pageNumber(),
  sheet: text(),
  part: oneOf(['rules', 'versions', 'effect'], 'rules'),
  /** The id of another version; empty for what is in force. */
  against: text(),
  versions: pageNumber(),
}

/** A page of the versions of a policy, the newest first. The parts of the sheet share it. */
export function useVersions(id: string, page: number) {
  const query = pageOf(page)
  return useRead(
    ['policies', 'versions', id, query],
    (api, signal) => api.GET('/compliance/policies/{id}/versions', { params: { path: { id }, query }, signal }),
    { keep: true },
  )
}
