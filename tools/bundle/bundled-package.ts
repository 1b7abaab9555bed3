import { readdirSync, readFileSync } from 'node:fs'

/** A library of another author whose code is in a bundle. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  readonly license: string
  /** The notice that its licence demands beside the code. */
  readonly notice: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The packages that modules of a bundle are of, by name; ours are not among them. */
export function bundledPackages(moduleIds: readonly string[]): BundledPackage[] {
  const folders = new Set(moduleIds.flatMap((id) => folderOf(id) ?? []))
  return [...folders]
    .map(read)
    .sort((one, other) =>
      `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1,
    )
}

const installed = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//

function folderOf(moduleId: string): string | null {
  return installed.exec(moduleId.replaceAll('\\', '/'))?.[1] ?? null
}

function read(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest
  const { name, version, license } = manifest
  if (license === undefined) throw new Error(`${name} ${version} names no licence`)
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const notice =
    file === undefined ? `Licence: ${license}` : readFileSync(`${folder}/${file}`, 'utf8')
  return { name, version, license, notice: notice.trim() }
}
