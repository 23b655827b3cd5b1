import { defineWords } from '../../ui/words.js'

export const uploadWords = defineWords({
  upload: ['Upload plugin', 'Plugin hochladen'],
  from: ['What is uploaded', 'Was hochgeladen wird'],
  archive: ['An archive', 'Ein Archiv'],
  text: ['Files that I write or paste', 'Dateien, die ich schreibe oder einfüge'],
  file: ['ZIP archive', 'ZIP-Archiv'],
  fileHint: ['With the specification at its root.', 'Mit der Spezifikation im obersten Ordner.'],
  chosen: ['{name} is chosen.', '{name} ist gewählt.'],
  specFile: ['Fill in from a file', 'Aus einer Datei einsetzen'],
  hasImage: ['Its image is built from a Dockerfile', 'Das Abbild wird aus einem Dockerfile gebaut'],
  dockerfile: ['Dockerfile', 'Dockerfile'],
  access: ['Access', 'Zugriff'],
  setDefault: ['Make it the default version', 'Zur Standardversion machen'],
  validate: ['Validate', 'Prüfen'],
  validateAgain: ['Validate again', 'Erneut prüfen'],
  valid: ['{name} {version} can be uploaded', '{name} {version} kann hochgeladen werden'],
  wouldCreate: [
    'It would be a new version. Nothing was stored.',
    'Es wäre eine neue Version. Nichts wurde gespeichert.',
  ],
  wouldReplace: [
    'It would replace the version that is stored. Nothing was stored.',
    'Es würde die gespeicherte Version ersetzen. Nichts wurde gespeichert.',
  ],
  sending: ['{sent} of {total} sent', '{sent} von {total} gesendet'],
  checking: [
    'All is sent. The server reads the archive and checks the rules.',
    'Alles ist gesendet. Der Server liest das Archiv und prüft die Regeln.',
  ],
  stop: ['Stop', 'Anhalten'],
  uploaded: ['{name} {version} is uploaded.', '{name} {version} ist hochgeladen.'],
  queued: [
    'Its image waits in the queue of builds. The plugin is active when the image is ready.',
    'Das Abbild wartet in der Schlange der Bauläufe. Das Plugin ist aktiv, sobald das Abbild bereit ist.',
  ],
  deferred: ['Checked after the build', 'Nach dem Bau geprüft'],
  seeBuild: ['See the build', 'Zum Baulauf'],
  seePlugin: ['See the plugin', 'Zum Plugin'],
})
