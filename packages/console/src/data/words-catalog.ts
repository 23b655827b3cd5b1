/** Words of the catalog metadata that plugins and pipelines share. */
import { defineWords } from '../ui/words.js'

export const catalogWords = defineWords({
  criticality: ['Criticality', 'Wichtigkeit'],
  labels: ['Labels', 'Merkmale'],
  links: ['Links', 'Verweise'],
})
