/** Words for the settings of appearance: in the palette, the dialog and the account screen. */
import { defineWords } from '../ui/words.js'

export const lookWords = defineWords({
  theme: ['Theme', 'Farben'],
  auto: ['As the system', 'Wie das System'],
  light: ['Light', 'Hell'],
  dark: ['Dark', 'Dunkel'],
  density: ['Density', 'Dichte'],
  normal: ['Normal', 'Normal'],
  compact: ['Compact', 'Eng'],
  language: ['Language', 'Sprache'],
  english: ['English', 'English'],
  german: ['Deutsch', 'Deutsch'],
  shortcutsOn: ['Single keys are shortcuts', 'Einzelne Tasten sind Kürzel'],
})
