import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishedPackages, tarballName } from '../package/published.ts'

/** What `npm install` of one package of ours brings into an empty folder. */
export interface Installed {
  readonly package: string
  readonly packages: number
  readonly megabytes: number
}

/** Installs each tarball, with those of ours that it depends on; `npm run tarballs` must have run. */
export function installedPackages(root: string): Installed[] {
  const published = publishedPackages()
  const tarballs = new Map(
    published.map(({ manifest }) => [manifest.name, `${root}/tarballs/${tarballName(manifest)}`]),
  )
  for (const path of tarballs.values()) {
    if (!existsSync(path)) throw new Error(`${path} is missing: run npm run tarballs first`)
  }
  return published.map(({ manifest }) => {
    const folder = mkdtempSync(join(tmpdir(), 'kron-measure-'))
    try {
      // Packages of ours come from the tarballs, at whatever depth they are asked for.
      const overrides = Object.fromEntries(
        [...tarballs].map(([name, path]) => [name, `file:${path}`]),
      )
      const { [manifest.name]: own, ...others } = overrides
      const wanted = { private: true, dependencies: { [manifest.name]: own }, overrides: others }
      writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted))
      const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
      execFileSync('npm', ['install', ...quiet], { cwd: folder, stdio: 'pipe' })
      const lock = readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')
      const { packages } = JSON.parse(lock) as { packages: object }
      const bytes = bytesOf(join(folder, 'node_modules'))
      return {
        package: manifest.name,
        packages: Object.keys(packages).length,
        megabytes: Math.round(bytes / 1e5) / 10,
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
