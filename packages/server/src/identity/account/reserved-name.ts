/**
 * Reserved names, and the comparison of names as a reader sees them. The comparison ignores compatibility forms, case,
 * accents, invisible characters, spaces and punctuation. A letter of another script counts as the Latin letter that it
 * looks like.
 */
import { Refusal } from '../../runtime/errors.js'

/** Latin letters and their look-alikes, after NFKD and lower case; from the confusables of Unicode (UTS 39). */
const DRAWN_LIKE: Readonly<Record<string, string>> = {
  a: 'аɑα⍺ᴀꭺꓮ𐊠',
  b: 'ьƅᏼꓐв',
  c: 'сϲᴄⲥꮯꓚ',
  d: 'ԁꓒɗꭰᴅ',
  e: 'еҽ℮ꬲⲉεᴇꭼꓰє',
  g: 'ɡցɢꓖ',
  h: 'һհнʜꮋꓧ',
  i: 'іιıɩɪꭵӏǀ|1lⲓ',
  j: 'јϳյꭻ',
  k: 'кκᴋⲕꮶ',
  m: 'мᴍⲙꮇꓟϻ',
  n: 'пոɴⲛꓠ',
  o: 'оοօ0σᴏⲟꓳ०٥൦',
  p: 'рρᴘⲣꮲꓑ',
  q: 'ԛգզ',
  r: 'гᴦʀꭱꓤ',
  s: 'ѕꜱꮪᏚƽꓢ𐑈5$ꭍ',
  t: 'тτᴛⲧꭲꓔ7',
  u: 'υսᴜцʋꓴ',
  v: 'νѵᴠꮩꓦ',
  w: 'ԝաᴡѡꓪɯ',
  x: 'хχⲭꭓꓫ',
  y: 'уүγʏყⲩꭹꮍꓬ',
  z: 'ᴢꮓꓜ',
}

const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries(DRAWN_LIKE).flatMap(([latin, others]) => [...others].map((each) => [each, latin] as const)),
)

/** A key that is equal for all names that look alike. */
export function lookAlikeKey(name: string): string {
  const letters = [...name.normalize('NFKD').toLowerCase().normalize('NFKD')]
    .map((each) => LATIN.get(each) ?? each)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  // Pairs of letters that look like one letter.
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w')
}

const RESERVED: ReadonlySet<string> = new Set(['system'].map(lookAlikeKey))

export const isReservedName = (name: string): boolean => RESERVED.has(lookAlikeKey(name))

/** @throws Refusal `RESERVED_ORG` for a name that looks like that of the system organization. */
export function checkName(...names: readonly (string | undefined)[]): void {
  if (names.some((name) => name !== undefined && isReservedName(name))) {
    throw new Refusal('RESERVED_ORG', 'the name `system`, and names that look like it, are reserved: choose another')
  }
}
