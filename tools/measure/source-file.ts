import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'

/** One file of a package's source, as far as the shape of the tree goes. */
export interface SourceFile {
  /** Below the root of the repository, with slashes. */
  readonly path: string
  readonly package: string
  readonly text: string
  readonly lines: number
  /** Lines of statements that import, or that only hand on what another file exports. */
  readonly importLines: number
}

/** The sources of products: no tests, no generated files, no doubles that only tests use. */
export function sourceFiles(root: string): SourceFile[] {
  return globSync('packages/*/src/**/*.ts', { cwd: root })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !/\.test\.ts$|\/generated\//.test(path) && !isDouble(path))
    .sort()
    .map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8')))
}

/** By its place or its name. A folder `testing` that a package exports is part of the product. */
function isDouble(path: string): boolean {
  if (path.startsWith('packages/scheduler/src/testing/')) return false
  return /\/testing\/|\/conformance\/|-conformance\.ts$/.test(path)
}

const importStatement =
  /^(?:import\s+(?:[^'";]*?\sfrom\s+)?|export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^'";]*?\sfrom\s+)['"][^'"]+['"];?$/gm

export function sourceFile(path: string, text: string): SourceFile {
  const statements = [...text.matchAll(importStatement)].map(([statement]) => statement)
  const importLines = statements.reduce((sum, each) => sum + linesOf(each), 0)
  return { path, package: path.split('/')[1]!, text, lines: linesOf(text), importLines }
}

const linesOf = (text: string): number => text.replace(/\n$/, '').split('\n').length

const specifier = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g

/** The files of the same package that a file imports, as paths below the root. */
export function importedPaths(file: SourceFile): string[] {
  const code = file.text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')
  return [...code.matchAll(specifier)]
    .map(([, name]) => name!)
    .filter((name) => name.startsWith('.'))
    .map((name) =>
      normalize(join(dirname(file.path), name))
        .split(sep)
        .join('/'),
    )
    .map((path) => path.replace(/\.js$/, '.ts'))
}
