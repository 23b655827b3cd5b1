/** What the address of the screen keeps: tab, search, page, and of the open sheet its part, comparison and page. */
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
