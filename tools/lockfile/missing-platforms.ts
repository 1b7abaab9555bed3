import { type Platform, platformOf } from './platform.ts'

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
  readonly [key: string]: unknown
}

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface MissingPackage extends Platform {
  readonly path: string
  readonly version: string
  readonly dev: boolean
}

/** Optional packages of the lock file that it has no entry for, as they would stand at the top. */
export function missingPlatforms({ packages }: Lock): MissingPackage[] {
  const missing = new Map<string, MissingPackage>()
  for (const [parent, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const platform = platformOf(name)
      if (platform === null || isReachable(packages, parent, name)) continue
      const path = `node_modules/${name}`
      missing.set(path, { path, version, dev: entry.dev === true, ...platform })
    }
  }
  return [...missing.values()]
}

/** Entries in the order in which npm writes them: by path. */
export function withPlatforms(lock: Lock, missing: readonly MissingPackage[]): Lock {
  const added = missing.map(({ path, version, dev, os, cpu, libc }) => [
    path,
    { version, cpu, ...(dev && { dev }), ...(libc && { libc }), optional: true, ...(os && { os }) },
  ])
  const entries = [...Object.entries(lock.packages), ...added] as [string, LockedPackage][]
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return { ...lock, packages: Object.fromEntries(entries) }
}

/** Whether a package finds `name` in its own node_modules or in one above. */
function isReachable(packages: Lock['packages'], parent: string, name: string): boolean {
  for (let folder = parent; ; ) {
    if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true
    if (folder === '') return false
    folder = folder.includes('/node_modules/')
      ? folder.slice(0, folder.lastIndexOf('/node_modules/'))
      : ''
  }
}
