import { defineWords } from '../../ui/words.js'

export const words = defineWords({
  title: ['Policies', 'Richtlinien'],
  question: [
    'Which standard do we follow, and what does a change of it do?',
    'Welchem Standard folgen wir, und was bewirkt seine Änderung?',
  ],
  none: ['No policy', 'Keine Richtlinie'],
  noneNext: [
    'A policy bundles rules under one name and version.',
    'Eine Richtlinie bündelt Regeln unter einem Namen und einer Version.',
  ],
  newPolicy: ['New policy', 'Neue Richtlinie'],
  created: ['The policy is created.', 'Die Richtlinie ist angelegt.'],
  version: ['Version', 'Version'],
  count: ['Rules', 'Regeln'],
  active: ['Active', 'Aktiv'],
  inactive: ['Off', 'Aus'],
  template: ['To copy', 'Zum Kopieren'],
  clone: ['Copy into own', 'Kopieren'],
  cloned: ['The policy is copied.', 'Die Richtlinie ist kopiert.'],
  diff: ['What it does to the inventory', 'Was sie am Bestand bewirkt'],
  newlyFailing: ['Newly failing', 'Neu verletzt'],
  newlyPassing: ['Newly passing', 'Neu bestanden'],
  stillFailing: ['Still failing', 'Weiter verletzt'],
  stillPassing: ['Still passing', 'Weiter bestanden'],
  total: ['{count} stored entities were judged.', '{count} gespeicherte Objekte wurden beurteilt.'],
  remove: ['Delete policy', 'Richtlinie löschen'],
  removed: ['The policy is deleted.', 'Die Richtlinie ist gelöscht.'],
  members: ['Its rules', 'Ihre Regeln'],
  noMembers: ['It has no rule.', 'Sie hat keine Regel.'],
})
