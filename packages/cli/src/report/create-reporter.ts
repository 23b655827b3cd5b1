/** The reporter of each format name. */

import { compactReporter } from './compact.js'
import type { FormatName } from './format-name.js'
import { githubReporter } from './github.js'
import { gitlabReporter } from './gitlab.js'
import { jsonReporter, ndjsonReporter } from './json.js'
import { junitReporter } from './junit.js'
import { markdownReporter } from './markdown.js'
import { prettyReporter } from './pretty.js'
import type { Reporter } from './reporter.js'
import { sarifReporter } from './sarif.js'

export const createReporter: { readonly [name in FormatName]: () => Reporter } = {
  pretty: prettyReporter,
  compact: compactReporter,
  json: jsonReporter,
  ndjson: ndjsonReporter,
  sarif: sarifReporter,
  junit: junitReporter,
  github: githubReporter,
  gitlab: gitlabReporter,
  markdown: markdownReporter,
}
