import type { Lock } from './missing-platforms.ts'

/**
 * Packages that bring what they need compiled, and sources beside it. Each says `gypfile: false`,
 * which npm leaves out of the lock file, so that `npm ci` would compile the sources; when the entry
 * says it, npm does not.
 */
const compiledAlready = ['better-sqlite3']

export function withNothingToCompile(lock: Lock): Lock {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const isCompiled = compiledAlready.some((name) => path.endsWith(`node_modules/${name}`))
    return [path, isCompiled ? { ...entry, gypfile: false } : entry] as const
  })
  return { ...lock, packages: Object.fromEntries(packages) }
}
