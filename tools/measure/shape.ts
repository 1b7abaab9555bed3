import { dirname } from 'node:path'
import type { SourceFile } from './source-file.ts'

/** How a package's source is cut into files and folders. */
export interface Shape {
  readonly package: string
  readonly files: number
  readonly lines: number
  readonly medianLines: number
  readonly p90Lines: number
  readonly maxLines: number
  /** Of at most 25 lines. */
  readonly smallFiles: number
  /** Lines that import, of a hundred. */
  readonly importPercent: number
  readonly folders: number
}

/** One for each package, and one of all together. */
export function shapes(files: readonly SourceFile[]): Shape[] {
  const names = [...new Set(files.map((file) => file.package))]
  const each = names.map((name) =>
    shape(
      name,
      files.filter((file) => file.package === name),
    ),
  )
  return [...each, shape('all', files)]
}

const smallLines = 25

function shape(name: string, files: readonly SourceFile[]): Shape {
  const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b)
  const lines = sizes.reduce((sum, each) => sum + each, 0)
  const imports = files.reduce((sum, each) => sum + each.importLines, 0)
  return {
    package: name,
    files: files.length,
    lines,
    medianLines: sizes[sizes.length >> 1]!,
    p90Lines: sizes[Math.floor(sizes.length * 0.9)]!,
    maxLines: sizes.at(-1)!,
    smallFiles: sizes.filter((size) => size <= smallLines).length,
    importPercent: Math.round((imports / lines) * 1000) / 10,
    folders: new Set(files.map(({ path }) => dirname(path))).size,
  }
}
