/** `npm run generate`: writes the index of the decision records. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decisionFiles, decisionIndex, decisionsFolder, readDecision } from './decisions.js'

writeFileSync(join(decisionsFolder, 'README.md'), decisionIndex(decisionFiles().map(readDecision)))
