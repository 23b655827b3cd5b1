/** A place in a text; lines and columns count from 1, columns in UTF-16 units, as in SARIF. */

export interface Position {
  readonly line: number
  readonly column: number
}
