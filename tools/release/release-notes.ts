/** The changelog of a version, without its heading; that of [Unreleased] when there is none. */
export function releaseNotes(changelog: string, version: string): string {
  const headings = [...changelog.matchAll(/^## \[(.+?)\].*$/gm)]
  const of = (name: string) => headings.findIndex(([, each]) => each === name)
  const index = of(version) >= 0 ? of(version) : of('Unreleased')
  if (index < 0) throw new Error('CHANGELOG.md has neither this version nor [Unreleased]')
  const heading = headings[index]!
  const start = heading.index + heading[0].length
  const notes = changelog.slice(start, headings[index + 1]?.index).trim()
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of [${heading[1]}]`)
  return `${notes}\n`
}
