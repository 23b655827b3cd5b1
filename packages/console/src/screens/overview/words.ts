import { defineWords } from '../../ui/words.js'

export const words = defineWords({
  title: ['Overview', 'Überblick'],
  question: ['Is anything blocked, and is it getting better?', 'Ist etwas blockiert, und wird es besser?'],
  blocked: ['Blocked checks', 'Blockierte Prüfungen'],
  lastDays: ['in the last {count} days', 'in den letzten {count} Tagen'],
  waiting: ['Exemptions that wait', 'Wartende Ausnahmen'],
  toDecide: ['to be decided', 'zu entscheiden'],
  inForce: ['Rules in force', 'Geltende Regeln'],
  inForceNote: ['own, inherited and subscribed', 'eigene, geerbte und abonnierte'],
  lastScan: ['Last scan', 'Letzter Scan'],
  latest: ['Latest blocked', 'Zuletzt blockiert'],
  all: ['All checks', 'Alle Prüfungen'],
  nothing: ['Nothing was blocked', 'Nichts wurde blockiert'],
  nothingNote: [
    'No check blocked an upload or a change in this time.',
    'Keine Prüfung hat in dieser Zeit ein Hochladen oder Ändern verhindert.',
  ],
  begin: ['Four steps to the first answer', 'Vier Schritte zur ersten Antwort'],
  stepRule: [
    'Say what you demand: write a rule, or take one from the library',
    'Sagen Sie, was Sie verlangen: eine Regel schreiben oder aus der Bibliothek nehmen',
  ],
  stepEntity: [
    'Bring something to check: a pipeline or a plugin',
    'Bringen Sie etwas zum Prüfen: eine Pipeline oder ein Plugin',
  ],
  stepScan: ['Scan what is stored', 'Den Bestand scannen'],
  stepNotify: ['Say who is told', 'Festlegen, wer benachrichtigt wird'],
  perDay: ['Checks a day', 'Prüfungen je Tag'],
  none: ['none', 'keiner'],
})
