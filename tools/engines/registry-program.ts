import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../node_modules/.cache/kron-engines', import.meta.url))

/** A program that a package of the registry holds. */
export interface RegistryProgram {
  readonly package: string
  readonly version: string
  /** Of the program, within the package. */
  readonly path: string
}

/** The path of the program, kept below node_modules; or why there is none. */
export function installedProgram(program: RegistryProgram): { path: string } | { missing: string } {
  const wanted = `${program.package}@${program.version}`
  const folder = `${cache}/${wanted.replaceAll('/', '+')}`
  const path = `${folder}/node_modules/${program.package}/${program.path}`
  if (existsSync(path)) return { path }
  // Made aside and moved as a whole: several tests may want it at the same time.
  const aside = `${folder}.${process.pid}`
  mkdirSync(aside, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const install = ['install', '--prefix', aside, '--no-save', '--ignore-scripts', wanted]
  try {
    execFileSync(npm, install, { cwd: aside, stdio: 'pipe' })
    chmodSync(`${aside}/node_modules/${program.package}/${program.path}`, 0o755)
    if (!existsSync(path)) renameSync(aside, folder)
  } catch (error) {
    if (!existsSync(path)) {
      return { missing: `npm could not install ${wanted}: ${(error as Error).message}` }
    }
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return { path }
}
