import { globSync, readFileSync } from 'node:fs'
import { root } from '../package/published.ts'

/** A file that names the version of Kron, and where in it. */
export interface VersionPlace {
  readonly path: string
  /** What is around the version: it stands where the star is. */
  readonly around: readonly string[]
}

/** Everywhere but in the package.json of the root, which is where it is decided. */
export function versionPlaces(): VersionPlace[] {
  const manifests = globSync(
    ['packages/*/package.json', 'bench/package.json', 'tools/release/package.json'],
    {
      cwd: root,
    },
  ).sort()
  return [
    ...manifests.map((path) => ({ path, around: ['"version": "*"', ...siblings(path)] })),
    {
      path: 'packages/runtime/src/version/kron-version.ts',
      around: ["export const kronVersion = '*'"],
    },
    ...globSync('deploy/helm/*/Chart.yaml', { cwd: root }).map((path) => ({
      path,
      around: ['\nversion: *\n', '\nappVersion: "*"\n'],
    })),
  ]
}

/** What a package needs of ours is of the same version. */
function siblings(path: string): string[] {
  const text = readFileSync(`${root}/${path}`, 'utf8')
  const names = [...text.matchAll(/"(@kron\/[a-z-]+)": "\d/g)].map(([, name]) => name!)
  return [...new Set(names)].map((name) => `"${name}": "*"`)
}

const aVersion = String.raw`\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?`

function pattern(around: string): RegExp {
  const [before, after] = around
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(${before})(${aVersion})(${after})`)
}

/** The versions that a file names, in the order of its places. */
export function versionsIn(text: string, { path, around }: VersionPlace): string[] {
  return around.map((each) => {
    const found = pattern(each).exec(text)
    if (found === null) throw new Error(`${path} does not say ${each.trim()}`)
    return found[2]!
  })
}

export function withVersion(text: string, place: VersionPlace, version: string): string {
  return place.around.reduce(
    (changed, each) => changed.replace(pattern(each), `$1${version}$3`),
    text,
  )
}
