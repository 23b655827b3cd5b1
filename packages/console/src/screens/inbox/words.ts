import { defineWords } from '../../ui/words.js'

export const words = defineWords({
  title: ['Inbox', 'Eingang'],
  question: ['Who told whom?', 'Wer hat wem etwas gesagt?'],
  none: ['No message', 'Keine Nachricht'],
  noneNext: [
    'Blocks, decisions and messages of people arrive here.',
    'Hier kommen Blockaden, Entscheidungen und Nachrichten von Personen an.',
  ],
  search: ['Search', 'Suchen'],
  unread: ['Unread', 'Ungelesen'],
  read: ['Read', 'Gelesen'],
  from: ['From', 'Von'],
  subject: ['Subject', 'Betreff'],
  replies: ['Replies', 'Antworten'],
  priority: ['Priority', 'Dringlichkeit'],
  last: ['Last', 'Zuletzt'],
  readAll: ['Mark all as read', 'Alles als gelesen markieren'],
  allRead: ['Everything is read.', 'Alles ist gelesen.'],
  answer: ['Answer', 'Antworten'],
  answered: ['The answer is sent.', 'Die Antwort ist gesendet.'],
  yourAnswer: ['Your answer', 'Ihre Antwort'],
})
