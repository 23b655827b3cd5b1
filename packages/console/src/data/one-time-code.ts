/** A code as the server takes it: programs copy it with spaces of every kind. */
export const codeOf = (typed: string): string => typed.replaceAll(/\s/g, '')
