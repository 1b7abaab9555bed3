import { cpSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const imported = /(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g

/**
 * Copies the declarations of these files of `dist`, with all their imports, to `target`. A user who
 * installs the package does not have the bundled libraries, so nothing else may be imported.
 */
export function shipDeclarations(dist: string, files: readonly string[], target: string): void {
  for (const file of declarationsOf(files, (each) => readFileSync(join(dist, each), 'utf8'))) {
    cpSync(join(dist, file), join(target, file))
  }
}

/** The declarations of modules, followed through what they import. */
export function declarationsOf(
  modules: readonly string[],
  read: (file: string) => string,
): readonly string[] {
  const found = new Set(modules.map(declarationOf))
  for (const file of found) {
    for (const [, specifier] of withoutComments(read(file)).matchAll(imported)) {
      if (!specifier!.startsWith('.')) {
        throw new Error(`${file} is shipped and imports ${specifier}, which is not`)
      }
      found.add(declarationOf(join(dirname(file), specifier!)))
    }
  }
  return [...found]
}

const declarationOf = (module: string): string => module.replace(/\.js$/, '.d.ts')

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\//g, '')
