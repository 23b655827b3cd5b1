import { defineWords } from '../../ui/words.js'

export const editWords = defineWords({
  newTitle: ['New pipeline', 'Neue Pipeline'],
  editTitle: ['Edit pipeline', 'Pipeline bearbeiten'],
  newQuestion: [
    'What should run, and would the rules allow it?',
    'Was soll laufen, und würden die Regeln es erlauben?',
  ],
  text: ['The pipeline as YAML or JSON', 'Die Pipeline als YAML oder JSON'],
  file: ['Fill in from a file', 'Aus einer Datei einsetzen'],
  fileHint: [
    'YAML or JSON. A list of up to {count} pipelines is created in one request.',
    'YAML oder JSON. Eine Liste von bis zu {count} Pipelines wird in einer Anfrage angelegt.',
  ],
  editHint: [
    'A field that is removed from the text keeps its value. Project and organization cannot change.',
    'Ein Feld, das im Text fehlt, behält seinen Wert. Projekt und Organisation lassen sich nicht ändern.',
  ],
  validate: ['Validate', 'Prüfen'],
  validateAgain: ['Validate again', 'Erneut prüfen'],
  save: ['Save', 'Speichern'],
  makeMany: ['Create {count} {count|pipeline|pipelines}', '{count} {count|Pipeline|Pipelines} anlegen'],
  changed: ['The pipeline is saved.', 'Die Pipeline ist gespeichert.'],
  bulkDone: [
    '{count} {count|pipeline is|pipelines are} stored.',
    '{count} {count|Pipeline ist|Pipelines sind} gespeichert.',
  ],
  someFailed: ['{failed} of {count} were refused', '{failed} von {count} wurden abgelehnt'],
  check: ['See the recorded check', 'Die aufgezeichnete Prüfung ansehen'],
  notAsked: [
    'Validate shows what the server would say. Nothing is stored.',
    'Prüfen zeigt, was der Server sagen würde. Nichts wird gespeichert.',
  ],
  notPipelines: [
    'The text has to be one pipeline, or a list of pipelines if they are new.',
    'Der Text muss eine Pipeline sein, oder eine Liste, wenn sie neu sind.',
  ],
  problems: ['{count} {count|problem|problems}', '{count} {count|Problem|Probleme}'],
  wouldCreate: ['{name} would be created', '{name} würde angelegt'],
  wouldUpdate: ['{name} would be changed', '{name} würde geändert'],
  notValid: ['{name} would be refused', '{name} würde abgelehnt'],
  nothingStored: ['Nothing was stored.', 'Nichts wurde gespeichert.'],
})
