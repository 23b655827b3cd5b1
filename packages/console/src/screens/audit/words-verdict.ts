/** What a verification says, by the codes of the API. */
import { defineWords } from '../../ui/words.js'

/** Why a trail is invalid. */
export const reasonWords = defineWords({
  anchor_mismatch: [
    'the first event does not continue the pruned part',
    'das erste Ereignis schließt nicht an den gelöschten Teil an',
  ],
  chain_mismatch: ['the event belongs to another trail', 'das Ereignis gehört zu einem anderen Pfad'],
  sequence_gap: ['events are missing before it', 'davor fehlen Ereignisse'],
  link_mismatch: ['it does not name the hash of the event before it', 'es nennt nicht den Hash des Ereignisses davor'],
  hash_mismatch: ['its content does not match its hash', 'sein Inhalt passt nicht zu seinem Hash'],
  malformed_row: ['it does not have the fields of an event', 'es hat nicht die Felder eines Ereignisses'],
  backdated: ['it is dated before the event before it', 'es ist früher datiert als das Ereignis davor'],
  unexplained_erasure: [
    'data is missing, and no event says that it was erased',
    'Daten fehlen, und kein Ereignis sagt, dass sie gelöscht wurden',
  ],
  truncated: ['events at the end are missing', 'am Ende fehlen Ereignisse'],
  head_mismatch: ['the last event is not the recorded one', 'das letzte Ereignis ist nicht das verzeichnete'],
  checkpoint_mismatch: [
    'the events do not match a signed checkpoint',
    'die Ereignisse passen nicht zu einem signierten Prüfpunkt',
  ],
})

/** Why there is no verdict. */
export const cannotTellWords = defineWords({
  nothing_to_check: ['There is no event to verify yet.', 'Noch gibt es kein Ereignis zum Prüfen.'],
  not_a_log: ['This is not an audit trail.', 'Das ist kein Prüfpfad.'],
  missing_checkpoint: [
    'A signed checkpoint that should be stored is missing or cannot be read.',
    'Ein signierter Prüfpunkt, der gespeichert sein müsste, fehlt oder ist nicht lesbar.',
  ],
  unknown_key: [
    'A checkpoint is signed by a key that the server does not know.',
    'Ein Prüfpunkt ist mit einem Schlüssel signiert, den der Server nicht kennt.',
  ],
  checkpoint_out_of_range: [
    'A checkpoint is about events that are not stored here.',
    'Ein Prüfpunkt betrifft Ereignisse, die hier nicht gespeichert sind.',
  ],
  erasure_outside_range: [
    'The event that explains an erasure may come later.',
    'Das Ereignis, das eine Löschung erklärt, kann später kommen.',
  ],
  no_checkpoint: [
    'No checkpoint is signed yet: a shortened or rewritten trail would look the same.',
    'Noch ist kein Prüfpunkt signiert: Ein gekürzter oder neu geschriebener Pfad sähe gleich aus.',
  ],
})

/** What a verification that finds nothing wrong cannot see. */
export const doubtWords = defineWords({
  recomputed: [
    'Nothing signed was checked: a shortened trail, or one that was rewritten from some event on, would look the same.',
    'Nichts Signiertes wurde geprüft: Ein gekürzter oder ab einem Ereignis neu geschriebener Pfad sähe gleich aus.',
  ],
  'key-from-file': [
    'No checkpoint is signed by a key that was known before.',
    'Kein Prüfpunkt ist mit einem Schlüssel signiert, der vorher bekannt war.',
  ],
  'uncovered-tail': [
    'Events {next} to {last} are newer than the newest checkpoint: they are chained, but could have been removed or rewritten.',
    'Die Ereignisse {next} bis {last} sind neuer als der neueste Prüfpunkt: Sie sind verkettet, könnten aber entfernt oder neu geschrieben sein.',
  ],
  'key-holder': [
    'The holder of the signing key could have rewritten the trail and signed it again. Only a checkpoint that you kept, or a witness, would show it.',
    'Wer den Signaturschlüssel hat, könnte den Pfad neu geschrieben und neu signiert haben. Nur ein aufbewahrter Prüfpunkt oder ein Zeuge würde es zeigen.',
  ],
  'rolled-back': [
    'A person who can write the database could have replaced the trail with an older signed state. Only a checkpoint kept elsewhere, or a witness, would show it.',
    'Wer die Datenbank schreiben kann, könnte den Pfad durch einen älteren signierten Stand ersetzt haben. Nur ein anderswo aufbewahrter Prüfpunkt oder ein Zeuge würde es zeigen.',
  ],
  fork: [
    'No witness signed too: the trail could show others another history. Compare checkpoints with them.',
    'Kein Zeuge hat mitsigniert: Der Pfad könnte anderen eine andere Geschichte zeigen. Vergleichen Sie Prüfpunkte.',
  ],
  timestamps: [
    'Times are the claim of the trail itself: only their order is checked.',
    'Zeiten sind die Aussage des Pfads selbst: Geprüft ist nur ihre Reihenfolge.',
  ],
  pruned: [
    'Events 1 to {pruned} were pruned: that they existed is proven, and what they said is not here.',
    'Die Ereignisse 1 bis {pruned} wurden nach Ablauf der Frist entfernt: Dass es sie gab, ist bewiesen; was sie sagten, ist nicht hier.',
  ],
  'never-written': [
    'An event that was never written leaves no trace in any trail.',
    'Ein Ereignis, das nie geschrieben wurde, hinterlässt in keinem Pfad eine Spur.',
  ],
})
