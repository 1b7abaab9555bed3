/** Of one file, as istanbul's `json-summary` has it. */
export interface FileSummary {
  readonly lines: Counted
  readonly branches: Counted
}

export interface Counted {
  readonly total: number
  readonly covered: number
}

export interface FolderCoverage {
  /** The package and the folder in its `src`, such as `krond/lock`. */
  readonly folder: string
  readonly lines: Counted
  readonly branches: Counted
}

/** Summed up by folder, in the order of their names. */
export function coverageByFolder(files: Readonly<Record<string, FileSummary>>): FolderCoverage[] {
  const folders = new Map<string, FolderCoverage>()
  for (const [path, { lines, branches }] of Object.entries(files)) {
    const folder = folderOf(path)
    if (folder === null || lines.total === 0) continue
    const known = folders.get(folder)
    folders.set(folder, {
      folder,
      lines: sum(known?.lines, lines),
      branches: sum(known?.branches, branches),
    })
  }
  return [...folders.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** The folder directly in a package's `src`; null for a file outside of these. */
function folderOf(path: string): string | null {
  const [, host, folder] = /packages\/([^/]+)\/src\/(?:([^/]+)\/)?[^/]*/.exec(path) ?? []
  if (host === undefined) return null
  return folder === undefined ? host : `${host}/${folder}`
}

const sum = (known: Counted | undefined, added: Counted): Counted => ({
  total: (known?.total ?? 0) + added.total,
  covered: (known?.covered ?? 0) + added.covered,
})

/** What there is nothing of is covered. */
export const percentOf = ({ total, covered }: Counted): number =>
  total === 0 ? 100 : (100 * covered) / total
