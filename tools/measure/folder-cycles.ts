import { dirname } from 'node:path'
import { importedPaths, type SourceFile } from './source-file.ts'

/** Folders that import each other, directly or through others, with an import for each step. */
export interface FolderCycle {
  readonly folders: readonly string[]
  readonly imports: readonly string[]
}

type Graph = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * All groups of folders that can't be read one after the other: first among the folders of a package
 * with all that is inside of them, then among single folders. A folder and those inside of it may
 * know each other: a house knows its rooms, and a room its house.
 */
export function folderCycles(files: readonly SourceFile[]): FolderCycle[] {
  return [...cyclesAmong(files, houseOf), ...cyclesAmong(files, dirname)]
}

/** The folder of a package's source that a file is in, however deep: `packages/krond/src/process`. */
const houseOf = (path: string): string => dirname(path).split('/').slice(0, 4).join('/')

function cyclesAmong(files: readonly SourceFile[], folderOf: FolderOf): FolderCycle[] {
  const graph = folderGraph(files, folderOf)
  return strongComponents(graph)
    .filter((folders) => folders.length > 1)
    .map((folders) => ({ folders: folders.sort(), imports: importsWithin(folders, graph) }))
    .sort((a, b) => (a.folders[0]! < b.folders[0]! ? -1 : 1))
}

type FolderOf = (path: string) => string

function folderGraph(files: readonly SourceFile[], folderOf: FolderOf): Graph {
  const known = new Set(files.map(({ path }) => path))
  const graph = new Map<string, Map<string, string>>()
  for (const file of files) {
    const from = folderOf(file.path)
    const targets = graph.get(from) ?? new Map<string, string>()
    graph.set(from, targets)
    for (const path of importedPaths(file)) {
      const to = folderOf(path)
      if (!known.has(path) || isSameHouse(from, to) || targets.has(to)) continue
      targets.set(to, `${file.path} imports ${path}`)
    }
  }
  return graph
}

const isSameHouse = (a: string, b: string): boolean =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

function importsWithin(folders: readonly string[], graph: Graph): string[] {
  const among = new Set(folders)
  return folders.flatMap((folder) =>
    [...(graph.get(folder) ?? [])].filter(([to]) => among.has(to)).map(([, text]) => text),
  )
}

/** Tarjan's algorithm. */
function strongComponents(graph: Graph): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const waiting = new Set<string>()
  const found: string[][] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    waiting.add(node)
    for (const next of graph.get(node)?.keys() ?? []) {
      if (!index.has(next)) {
        visit(next)
        low.set(node, Math.min(low.get(node)!, low.get(next)!))
      } else if (waiting.has(next)) low.set(node, Math.min(low.get(node)!, index.get(next)!))
    }
    if (low.get(node) !== index.get(node)) return
    const component = stack.splice(stack.indexOf(node))
    for (const each of component) waiting.delete(each)
    found.push(component)
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return found
}
