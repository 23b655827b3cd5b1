import { defineWords } from '../../ui/words.js'

export const words = defineWords({
  title: ['Exemptions', 'Ausnahmen'],
  question: ['What waits for me, and what ends soon?', 'Was wartet auf mich, und was endet bald?'],
  none: ['No exemption', 'Keine Ausnahme'],
  noneNext: [
    'An exemption is asked for where a rule failed: in a finding or in the check log.',
    'Eine Ausnahme wird dort beantragt, wo eine Regel verletzt ist: im Befund oder im Prüfprotokoll.',
  ],
  nobodyWaits: ['Nobody waits for a decision', 'Niemand wartet auf eine Entscheidung'],
  approve: ['Approve', 'Genehmigen'],
  reject: ['Reject', 'Ablehnen'],
  revoke: ['Revoke', 'Widerrufen'],
  withdraw: ['Withdraw', 'Zurückziehen'],
  approved: ['The exemption is approved.', 'Die Ausnahme ist genehmigt.'],
  rejected: ['The exemption is rejected.', 'Die Ausnahme ist abgelehnt.'],
  revokedDone: ['The exemption no longer holds.', 'Die Ausnahme gilt nicht mehr.'],
  ownRequest: [
    'You asked for this yourself, so somebody else has to decide.',
    'Sie haben das selbst beantragt, darum muss jemand anderes entscheiden.',
  ],
  mayNot: [
    'To decide needs the compliance role `editor` or `admin`, or the permission `compliance:write`.',
    'Zum Entscheiden braucht es die Compliance-Rolle `editor` oder `admin` oder das Recht `compliance:write`.',
  ],
  why: ['Why not', 'Warum nicht'],
  whyHint: ['The person who asked reads it.', 'Die Person, die gefragt hat, liest es.'],
  askedBy: ['Asked by', 'Beantragt von'],
  decidedBy: ['Decided by', 'Entschieden von'],
  decidedAt: ['Decided', 'Entschieden'],
  whyRejected: ['Rejected because', 'Abgelehnt, weil'],
  others: ['Other exemptions of this entity', 'Andere Ausnahmen dieses Objekts'],
  noOthers: ['This entity has no other.', 'Dieses Objekt hat keine andere.'],
  you: ['you', 'Sie'],
  soon: ['ends soon', 'endet bald'],
  approveAll: ['Approve {count}', '{count} genehmigen'],
  decided: ['{done} decided, {failed} refused', '{done} entschieden, {failed} verweigert'],
})
