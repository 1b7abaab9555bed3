import { type FolderCoverage, percentOf } from './folder-coverage.ts'

/** Below this share of lines a folder needs a reason. */
export const lowPercent = 90

/** The page about coverage, from a run of `npm run test:coverage`. */
export function coveragePage(
  folders: readonly FolderCoverage[],
  reasons: Readonly<Record<string, string>>,
  date: string,
): string {
  const rows = folders.map(({ folder, lines, branches }) => {
    const cells = [
      `\`${folder}\``,
      String(lines.total),
      `${percentOf(lines).toFixed(1)} %`,
      `${percentOf(branches).toFixed(1)} %`,
      percentOf(lines) < lowPercent ? (reasons[folder] ?? '') : '',
    ]
    return `| ${cells.join(' | ')} |`
  })
  return `# Coverage by folder

Written by \`npm run test:coverage\` on ${date}: how many lines and branches the tests of \`npm test\` reach in their own process. Code that runs only in other processes (installed programs, and programs that the crash tests kill and restart) is not counted, so a low number has its reason here. Reaching a line proves little: [the mutation runs](../mutation/README.md) show which mistakes the tests find.

| folder | lines | lines reached | branches reached | why it is low |
| --- | ---: | ---: | ---: | --- |
${rows.join('\n')}
`
}

/** Folders with low coverage and without a reason. */
export function unexplained(
  folders: readonly FolderCoverage[],
  reasons: Readonly<Record<string, string>>,
): string[] {
  const low = folders.filter(({ lines }) => percentOf(lines) < lowPercent)
  return low.filter(({ folder }) => reasons[folder] === undefined).map(({ folder }) => folder)
}
