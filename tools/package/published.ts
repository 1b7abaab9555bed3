import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** As much of a package.json as is checked or changed. */
export interface Manifest {
  readonly name: string
  version: string
  readonly private?: boolean
  readonly engines?: { readonly node: string }
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

export interface WorkspacePackage {
  /** Below `packages/`. */
  readonly folder: string
  readonly manifest: Manifest
}

export function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(`${root}/${path}`, 'utf8')) as Manifest
}

/** The packages that go to a registry, each after its dependencies. */
export function publishedPackages(): WorkspacePackage[] {
  const all = readdirSync(`${root}/packages`).map((folder) => ({
    folder,
    manifest: readManifest(`packages/${folder}/package.json`),
  }))
  const open = all.filter(({ manifest }) => manifest.private !== true)
  const ordered: WorkspacePackage[] = []
  const visit = (each: WorkspacePackage): void => {
    if (ordered.includes(each)) return
    const { dependencies, optionalDependencies } = each.manifest
    const needed = Object.keys({ ...dependencies, ...optionalDependencies })
    for (const other of open) if (needed.includes(other.manifest.name)) visit(other)
    ordered.push(each)
  }
  for (const each of open) visit(each)
  return ordered
}

/** The name that `npm pack` gives to a tarball. */
export function tarballName({ name, version }: Manifest): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}
