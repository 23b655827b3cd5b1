/**
 * Every error code of the server: what happened, and what the reader can do. A test compares the table with the API.
 */
import type { components } from '@plumbline/client'
import { defineWords, type Pair } from '../ui/words.js'

export type ErrorCode = components['schemas']['Error']['code']

export const nextWords = defineWords({
  fix: ['Correct what is named above and send it again.', 'Korrigieren Sie das Genannte und senden Sie erneut.'],
  reload: ['Load the newest state and decide again.', 'Laden Sie den neuesten Stand und entscheiden Sie erneut.'],
  signIn: ['Sign in again; this page stays as it is.', 'Melden Sie sich erneut an; diese Seite bleibt, wie sie ist.'],
  signOn: [
    'Sign in where the organization signs people in. Ask its administrator for the address.',
    'Melden Sie sich dort an, wo die Organisation Personen anmeldet. Die Adresse kennt ihre Administration.',
  ],
  confirm: ['Confirm who you are and try again.', 'Bestätigen Sie Ihre Identität und versuchen Sie es erneut.'],
  askAdmin: [
    'Ask an administrator of the organization.',
    'Fragen Sie eine Administratorin oder einen Administrator der Organisation.',
  ],
  askOperator: ['Ask the person who runs this server.', 'Fragen Sie, wer diesen Server betreibt.'],
  wait: ['Wait a moment and try again.', 'Warten Sie einen Moment und versuchen Sie es erneut.'],
  waitSeconds: [
    'Try again in {seconds} {seconds|second|seconds}.',
    'In {seconds} {seconds|Sekunde|Sekunden} erneut versuchen.',
  ],
  upgrade: ['Free some of it, or raise the limit.', 'Geben Sie etwas frei oder erhöhen Sie die Grenze.'],
  pay: ['Check the payment method.', 'Prüfen Sie das Zahlungsmittel.'],
  leave: ['Nothing was changed.', 'Nichts wurde geändert.'],
  seeRules: [
    'Change what the rules name, or ask for an exemption.',
    'Ändern Sie, was die Regeln nennen, oder beantragen Sie eine Ausnahme.',
  ],
  report: [
    'Try again; if it stays, give the request id to the person who runs the server.',
    'Versuchen Sie es erneut; bleibt es dabei, nennen Sie dem Betreiber die Nummer der Anfrage.',
  ],
})

export type Next = keyof typeof nextWords

interface Entry {
  readonly says: Pair
  readonly next: Next
}
const entry = (en: string, de: string, next: Next): Entry => ({ says: [en, de], next })

export const ERRORS: Readonly<Record<ErrorCode, Entry>> = {
  VALIDATION_ERROR: entry('Something in the form is not right', 'Etwas im Formular stimmt nicht', 'fix'),
  MISSING_REQUIRED_FIELD: entry('A required field is empty', 'Ein Pflichtfeld ist leer', 'fix'),
  TEMPLATE_UNKNOWN_PATH: entry(
    'A token names a value that is not there',
    'Ein Platzhalter nennt einen Wert, den es nicht gibt',
    'fix',
  ),
  TEMPLATE_CYCLE: entry('A token names itself', 'Ein Platzhalter nennt sich selbst', 'fix'),
  TEMPLATE_PARSE_ERROR: entry('A token is not written as one', 'Ein Platzhalter ist falsch geschrieben', 'fix'),
  TEMPLATE_TYPE_MISMATCH: entry(
    'A token has a value of another type',
    'Ein Platzhalter hat einen Wert anderer Art',
    'fix',
  ),
  TEMPLATE_SECRETS_RESERVED: entry('A token cannot name a secret', 'Ein Platzhalter kann kein Geheimnis nennen', 'fix'),
  TEMPLATE_CONTRACT_VIOLATION: entry(
    'The template names a value that it does not hold',
    'Die Vorlage nennt einen Wert, den sie nicht hat',
    'fix',
  ),
  TEMPLATE_SIZE_EXCEEDED: entry('A text with tokens is too long', 'Ein Text mit Platzhaltern ist zu lang', 'fix'),
  TEMPLATE_VALIDATION_FAILED: entry('Several tokens are wrong', 'Mehrere Platzhalter sind falsch', 'fix'),
  DISCOUNT_CEILING_EXCEEDED: entry(
    'The discount is larger than allowed here',
    'Der Rabatt ist größer als hier erlaubt',
    'fix',
  ),
  DISCOUNT_TIER_MISMATCH: entry('The discount is not for this plan', 'Der Rabatt gilt nicht für diesen Tarif', 'leave'),
  PRICE_NOT_CONFIGURED: entry(
    'The provider has no price for this',
    'Der Anbieter hat dafür keinen Preis',
    'askOperator',
  ),
  INVALID_SIGNATURE: entry('A signature is wrong', 'Eine Signatur ist falsch', 'askOperator'),
  TOKEN_MISSING: entry('You are not signed in', 'Sie sind nicht angemeldet', 'signIn'),
  TOKEN_INVALID: entry('Your session is not known here', 'Ihre Sitzung ist hier nicht bekannt', 'signIn'),
  TOKEN_EXPIRED: entry('Your session has ended', 'Ihre Sitzung ist abgelaufen', 'signIn'),
  TOKEN_REVOKED: entry('Your session was ended elsewhere', 'Ihre Sitzung wurde anderswo beendet', 'signIn'),
  UNAUTHORIZED: entry('That is not right', 'Das stimmt nicht', 'fix'),
  SSO_REQUIRED: entry(
    'The organization asks for its own sign-in',
    'Die Organisation verlangt ihre eigene Anmeldung',
    'signOn',
  ),
  SSO_REFUSED: entry(
    'The sign-in of the organization refused you',
    'Die Anmeldung der Organisation hat Sie abgewiesen',
    'askAdmin',
  ),
  STEP_UP_REQUIRED: entry('This needs a fresh confirmation', 'Das braucht eine neue Bestätigung', 'confirm'),
  STEP_UP_INVALID: entry('The confirmation is no longer valid', 'Die Bestätigung gilt nicht mehr', 'confirm'),
  STEP_UP_MISMATCH: entry('The confirmation was for something else', 'Die Bestätigung galt etwas anderem', 'confirm'),
  STEP_UP_REPLAY: entry('The confirmation was used already', 'Die Bestätigung wurde schon benutzt', 'confirm'),
  MFA_REQUIRED: entry('A second factor is needed', 'Ein zweiter Faktor ist nötig', 'confirm'),
  PAYMENT_FAILED: entry('The payment was declined', 'Die Zahlung wurde abgelehnt', 'pay'),
  PAYMENT_METHOD_REQUIRED: entry('A payment method is needed', 'Ein Zahlungsmittel ist nötig', 'pay'),
  INSUFFICIENT_PERMISSIONS: entry('You may not do this', 'Das dürfen Sie nicht', 'askAdmin'),
  DISCOUNT_NOT_FOR_ORG: entry('The discount is for another account', 'Der Rabatt gilt für ein anderes Konto', 'leave'),
  ORG_MISMATCH: entry(
    'You are not a member of this organization',
    'Sie gehören nicht zu dieser Organisation',
    'askAdmin',
  ),
  RESERVED_ORG: entry('The system organization is reserved', 'Die Systemorganisation ist reserviert', 'leave'),
  REGISTRATION_CLOSED: entry('New accounts are not open here', 'Neue Konten sind hier nicht offen', 'askOperator'),
  COMPLIANCE_VIOLATION: entry('A rule blocks the change', 'Eine Regel verhindert die Änderung', 'seeRules'),
  SEAT_LIMIT: entry('No seat is free', 'Kein Platz ist frei', 'upgrade'),
  READ_ONLY_SESSION: entry('This session may only read', 'Diese Sitzung darf nur lesen', 'leave'),
  NOT_FOUND: entry('There is no such thing here', 'Das gibt es hier nicht', 'reload'),
  DISCOUNT_NOT_FOUND: entry('No discount has this code', 'Kein Rabatt hat diesen Code', 'fix'),
  METHOD_NOT_ALLOWED: entry('The server does not offer this', 'Der Server bietet das nicht an', 'report'),
  REQUEST_TIMEOUT: entry('It took too long', 'Es hat zu lange gedauert', 'wait'),
  CONFLICT: entry('The present state does not allow it', 'Der jetzige Stand lässt das nicht zu', 'reload'),
  AMBIGUOUS_EXECUTION: entry('Several pipelines have this run', 'Mehrere Pipelines haben diesen Lauf', 'fix'),
  SCAN_CONFLICT: entry(
    'A scan of these records runs already, or is over',
    'Ein Scan dieser Einträge läuft schon oder ist vorbei',
    'reload',
  ),
  DUPLICATE_ENTRY: entry('The name is taken', 'Der Name ist vergeben', 'fix'),
  IDEMPOTENCY_CONFLICT: entry(
    'The key was used for another event',
    'Der Schlüssel gehört zu einem anderen Ereignis',
    'reload',
  ),
  ALREADY_REDEEMED: entry('The discount was redeemed already', 'Der Rabatt wurde schon eingelöst', 'leave'),
  MARKETPLACE_TOKEN_INVALID: entry(
    'The marketplace does not know this registration',
    'Der Marktplatz kennt diese Registrierung nicht',
    'leave',
  ),
  SELF_SERVICE_DISABLED: entry(
    'The marketplace sells plan and add-ons',
    'Der Marktplatz verkauft Tarif und Zusätze',
    'leave',
  ),
  CLAIM_NOT_FOUND: entry('No purchase has this token', 'Kein Kauf hat dieses Token', 'leave'),
  MANAGED_BY_MARKETPLACE: entry(
    'The marketplace says what the subscription is',
    'Der Marktplatz bestimmt das Abonnement',
    'leave',
  ),
  DISCOUNTS_UNSUPPORTED: entry('The provider cannot give discounts', 'Der Anbieter kann keine Rabatte geben', 'leave'),
  DISCOUNT_EXHAUSTED: entry('The discount is used up', 'Der Rabatt ist aufgebraucht', 'leave'),
  DISCOUNT_EXPIRED: entry('The discount has expired', 'Der Rabatt ist abgelaufen', 'leave'),
  DISCOUNT_INACTIVE: entry('The discount is not active', 'Der Rabatt ist nicht aktiv', 'leave'),
  DISCOUNT_ZERO_VALUE: entry(
    'The discount is worth nothing on this plan',
    'Der Rabatt ist in diesem Tarif nichts wert',
    'leave',
  ),
  PROMOTION_INACTIVE: entry('The promotion is not active', 'Die Aktion ist nicht aktiv', 'leave'),
  PROMOTION_NOT_ACTIVATABLE: entry(
    'The promotion is granted by its trigger alone',
    'Die Aktion wird nur durch ihren Auslöser gewährt',
    'leave',
  ),
  RECURRING_ALREADY_PRESENT: entry(
    'A standing discount is there already',
    'Ein laufender Rabatt besteht schon',
    'leave',
  ),
  SUBSCRIPTION_NOT_REDEEMABLE: entry('The subscription is not active', 'Das Abonnement ist nicht aktiv', 'leave'),
  ADDON_OVER_CAP: entry(
    'More is in use than would be allowed without the add-on',
    'Es ist mehr in Gebrauch, als ohne das Paket erlaubt wäre',
    'upgrade',
  ),
  PLAN_OVER_CAP: entry(
    'More is in use than the plan allows',
    'Es ist mehr in Gebrauch, als der Tarif erlaubt',
    'upgrade',
  ),
  CHANGE_IN_PROGRESS: entry(
    'A change before this one is not finished',
    'Eine Änderung davor ist noch nicht fertig',
    'wait',
  ),
  PREVIEW_STALE: entry(
    'The account changed since the preview',
    'Das Konto hat sich seit der Vorschau geändert',
    'reload',
  ),
  TIER_OVER_CAP: entry(
    'More is in use than the tier allows',
    'Es ist mehr in Gebrauch, als die Stufe erlaubt',
    'upgrade',
  ),
  LAST_PRIVILEGED_MEMBER: entry(
    'The last holder of the role must stay',
    'Die letzte Person mit der Rolle muss bleiben',
    'leave',
  ),
  OWNER_PROTECTED: entry(
    'The owner cannot be changed this way',
    'Die Eigentümerin oder der Eigentümer lässt sich so nicht ändern',
    'leave',
  ),
  SYSTEM_ROLE_IMMUTABLE: entry(
    'Built-in roles cannot be changed',
    'Eingebaute Rollen lassen sich nicht ändern',
    'leave',
  ),
  INVITATION_EXPIRED: entry('The invitation has expired', 'Die Einladung ist abgelaufen', 'askAdmin'),
  INVITATION_REVOKED: entry('The invitation was taken back', 'Die Einladung wurde zurückgezogen', 'askAdmin'),
  INVITATION_ACCEPTED: entry('The invitation was used already', 'Die Einladung wurde schon benutzt', 'signIn'),
  INVITATION_DECLINED: entry('The invitation was declined', 'Die Einladung wurde abgelehnt', 'askAdmin'),
  PRECONDITION_FAILED: entry('Somebody changed it meanwhile', 'Jemand hat es inzwischen geändert', 'reload'),
  NOT_ACCEPTABLE: entry('It does not exist in this form', 'Das gibt es in dieser Form nicht', 'fix'),
  PAYLOAD_TOO_LARGE: entry('That is too large', 'Das ist zu groß', 'fix'),
  UNSUPPORTED_MEDIA_TYPE: entry('This kind of file is not accepted', 'Diese Art Datei wird nicht angenommen', 'fix'),
  RANGE_NOT_SATISFIABLE: entry('The file does not have this part', 'Die Datei hat diesen Teil nicht', 'reload'),
  AI_OUTPUT_INVALID: entry('The model gave no usable answer', 'Das Modell gab keine brauchbare Antwort', 'wait'),
  AI_KEY_REJECTED: entry('The provider refused the key', 'Der Anbieter hat den Schlüssel abgelehnt', 'askAdmin'),
  IDEMPOTENCY_MISMATCH: entry(
    'The request was sent before with other content',
    'Die Anfrage wurde schon mit anderem Inhalt gesendet',
    'reload',
  ),
  QUOTA_EXCEEDED: entry('A quota is used up', 'Ein Kontingent ist aufgebraucht', 'upgrade'),
  AI_BUDGET_EXCEEDED: entry('The budget of the month is used up', 'Das Budget des Monats ist aufgebraucht', 'askAdmin'),
  RATE_LIMIT_EXCEEDED: entry('Too many requests', 'Zu viele Anfragen', 'wait'),
  INTERNAL_ERROR: entry('The server failed', 'Der Server hat einen Fehler', 'report'),
  SIGNING_NOT_CONFIGURED: entry(
    'The server has no signing key',
    'Der Server hat keinen Signaturschlüssel',
    'askOperator',
  ),
  NOT_SUPPORTED: entry('This server does not do that', 'Dieser Server kann das nicht', 'leave'),
  UPSTREAM_ERROR: entry('A system behind the server failed', 'Ein System hinter dem Server hat versagt', 'wait'),
  SERVICE_UNAVAILABLE: entry('Not available now', 'Zurzeit nicht verfügbar', 'wait'),
  PROVIDER_UNAVAILABLE: entry('The provider does not answer', 'Der Anbieter antwortet nicht', 'wait'),
  COMPLIANCE_SERVICE_UNAVAILABLE: entry(
    'The check could not be made, so nothing was changed',
    'Die Prüfung war nicht möglich, darum wurde nichts geändert',
    'wait',
  ),
  REGISTRY_NOT_CONFIGURED: entry(
    'The server has no registry of images',
    'Der Server hat keine Registry für Abbilder',
    'askOperator',
  ),
  BUILDER_UNAVAILABLE: entry('The server builds no images', 'Der Server baut keine Abbilder', 'askOperator'),
  AI_NOT_CONFIGURED: entry('No model has a key here', 'Kein Modell hat hier einen Schlüssel', 'askAdmin'),
  EMAIL_NOT_CONFIGURED: entry('The server cannot send e-mail', 'Der Server kann keine E-Mail senden', 'askOperator'),
  UPSTREAM_TIMEOUT: entry(
    'A system behind the server took too long',
    'Ein System hinter dem Server brauchte zu lange',
    'wait',
  ),
}

export const unknownError = entry('The server refused', 'Der Server hat abgelehnt', 'report')
export const noAnswer = entry('The server does not answer', 'Der Server antwortet nicht', 'wait')
