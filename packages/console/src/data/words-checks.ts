import { defineWords } from '../ui/words.js'

export const checkWords = defineWords({
  checks: ['Checks', 'Prüfungen'],
  noChecks: ['No check yet', 'Noch keine Prüfung'],
  allChecks: ['All checks', 'Alle Prüfungen'],
  allOf: ['All checks ({count})', 'Alle Prüfungen ({count})'],
})
