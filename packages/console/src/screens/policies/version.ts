/** The version to propose after this one: of `1.4.2` it is `1.5.0`; of another text the last number grows. */
export function nextVersion(version: string): string {
  const semantic = /^(\d+)\.(\d+)\.\d+$/.exec(version)
  if (semantic !== null) return `${semantic[1]}.${Number(semantic[2]) + 1}.0`
  // Every second part is a number.
  const parts = version.split(/(\d+)/)
  const last = parts.at(-2)
  return last === undefined ? `${version}-2` : parts.with(-2, String(Number(last) + 1)).join('')
}
