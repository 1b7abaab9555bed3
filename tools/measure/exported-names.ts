import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The exports of a package, and how many of them code outside the package imports. */
export interface ExportedNames {
  readonly package: string
  readonly names: readonly string[]
  readonly used: readonly string[]
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>
}

/** By the declarations that the compiler wrote, so the packages must have been built. */
export function exportedNames(root: string): ExportedNames[] {
  const imported = importedNames(root)
  return globSync('packages/*/package.json', { cwd: root })
    .sort()
    .map((path) => {
      const folder = dirname(join(root, path))
      const { exports } = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
      const entries = Object.values(exports ?? {})
        .map((entry) => (typeof entry === 'string' ? undefined : entry.types))
        .filter((types) => types !== undefined)
      // A bundled package may have exports as well, though users can't install it.
      if (entries.length === 0) entries.push('./dist/index.d.ts')
      const names = [...new Set(entries.flatMap((entry) => namesOf(resolve(folder, entry))))].sort()
      const name = path.split(/[/\\]/)[1]!
      return { package: name, names, used: names.filter((each) => imported.get(name)?.has(each)) }
    })
}

const handedOn = /export\s+(?:type\s+)?\*\s+from\s+['"]([^'"]+)['"]/g
const listed = /export\s+(?:type\s+)?\{([^}]*)\}/g
const declared =
  /export\s+(?:declare\s+)?(?:abstract\s+)?(?:const|let|function|class|interface|type|enum)\s+(\w+)/g

function namesOf(declarations: string): string[] {
  if (!existsSync(declarations)) return []
  const text = readFileSync(declarations, 'utf8')
  const beyond = [...text.matchAll(handedOn)].flatMap(([, from]) =>
    namesOf(resolve(dirname(declarations), from!.replace(/\.js$/, '.d.ts'))),
  )
  const own = [...text.matchAll(declared)].map(([, name]) => name!)
  return [...beyond, ...own, ...[...text.matchAll(listed)].flatMap(([, list]) => bound(list!, -1))]
}

/** Of `a, type b as c` the names, as they are called before (0) or after (-1) the `as`. */
function bound(list: string, which: 0 | -1): string[] {
  return list
    .split(',')
    .map((each) => each.replace(/\btype\s/, '').trim())
    .filter((each) => each !== '')
    .map((each) => each.split(/\s+as\s+/).at(which)!)
}

const importing =
  /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+['"]@kron\/([\w-]+)[^'"]*['"]/g

/** Names by package, of all that imports a package of ours by its name: code and documentation. */
function importedNames(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const files = ['{packages,bench,simulation,tools,examples,docs}/**/*.{ts,mjs,js,md}', '*.md']
  for (const path of globSync(files, { cwd: root })) {
    if (/node_modules|(^|[/\\])dist[/\\]|\.test\.ts$/.test(path)) continue
    const own = /^packages[/\\]([\w-]+)[/\\]/.exec(path)?.[1]
    for (const [, list, name] of readFileSync(join(root, path), 'utf8').matchAll(importing)) {
      if (name === own && !path.endsWith('.md')) continue
      const names = found.get(name!) ?? new Set<string>()
      found.set(name!, names)
      for (const each of bound(list!, 0)) names.add(each)
    }
  }
  return found
}
