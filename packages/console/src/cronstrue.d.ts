/** The locale registers itself in the library, and comes without types. */
declare module 'cronstrue/locales/de'
