/** Escapes texts for a page, because a name may contain any characters. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// guard: texts-of-an-invoice-are-escaped
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (each) => ESCAPES[each] ?? '')
