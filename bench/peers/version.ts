import { existsSync, readFileSync } from 'node:fs'

/** The version of an installed package, also of those that do not export their package.json. */
export function versionOf(packageName: string): string {
  let folder = new URL('.', import.meta.resolve(packageName))
  for (;;) {
    const file = new URL('package.json', folder)
    if (existsSync(file)) {
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string }
      if (manifest.name === packageName) return manifest.version ?? 'unknown'
    }
    const parent = new URL('..', folder)
    if (parent.href === folder.href) return 'unknown'
    folder = parent
  }
}
