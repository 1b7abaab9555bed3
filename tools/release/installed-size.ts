import { globSync, statSync } from 'node:fs'

/** Bytes of the files below `node_modules`, in all and without SQLite itself. */
export function installedSize(project: string): { all: number; besideSqlite: number } {
  let all = 0
  let sqlite = 0
  for (const path of globSync('node_modules/**/*', { cwd: project })) {
    const found = statSync(`${project}/${path}`, { throwIfNoEntry: false })
    if (found?.isFile() !== true) continue
    all += found.size
    if (path.startsWith('node_modules/@kron/sqlite/')) sqlite += found.size
  }
  return { all, besideSqlite: all - sqlite }
}
