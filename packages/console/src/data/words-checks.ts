import { defineWords } from '../ui/words.js'

export const checkWords = defineWords({
  checks: ['Checks', 'Prüfungen'],
  noChecks: ['No check yet', 'Noch keine Prüfung'],
  allChecks: ['All checks', 'Alle Prüfungen'],
  allOf: ['All checks ({count})', 'Alle Prüfungen ({count})'],
  exempted: ['Exempted', 'Ausgenommen'],
  until: ['until', 'bis'],
  goExemption: ['See the exemption', 'Zur Ausnahme'],
  check: ['Check again', 'Erneut prüfen'],
  checkResult: ['What the rules say', 'Was die Regeln sagen'],
  checkNote: ['A trial: nothing is recorded or changed.', 'Eine Probe: nichts wird festgehalten oder geändert.'],
  allPass: ['All {count} rules pass', 'Alle {count} Regeln bestanden'],
  asOf: ['By the rules of', 'Nach den Regeln vom'],
  asOfHint: [
    'The record is judged as it is now. Without a day, by the rules in force now.',
    'Geprüft wird das Objekt, wie es jetzt ist. Ohne Tag gelten die Regeln von jetzt.',
  ],
})
