import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Manifest } from '../package/published.ts'

/** A packed package, as its user finds it. */
export interface Tarball {
  readonly file: string
  readonly manifest: Manifest & Readonly<Record<string, unknown>>
  /** Path within the package to contents. */
  readonly files: ReadonlyMap<string, Buffer>
}

const blockSize = 512

export function readTarball(file: string): Tarball {
  const files = new Map(entries(gunzipSync(readFileSync(file))))
  const manifest = JSON.parse(files.get('package.json')!.toString()) as Tarball['manifest']
  return { file, manifest, files }
}

/** npm writes plain files only, and an extra header before names that are long. */
function* entries(tar: Buffer): Generator<[path: string, contents: Buffer]> {
  let longName: string | null = null
  for (let at = 0; at + blockSize <= tar.length; ) {
    const header = tar.subarray(at, at + blockSize)
    if (header.every((byte) => byte === 0)) return
    const field = (from: number, length: number): string =>
      header
        .subarray(from, from + length)
        .toString()
        .replace(/\0.*$/s, '')
    const size = Number.parseInt(field(124, 12), 8)
    const contents = tar.subarray(at + blockSize, at + blockSize + size)
    const type = field(156, 1)
    if (type === 'x') longName = /\d+ path=(.*)\n/.exec(contents.toString())?.[1] ?? null
    else if (type === '0' || type === '') {
      const prefix = field(345, 155)
      const name = longName ?? (prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`)
      longName = null
      yield [name.replace(/^package\//, ''), contents]
    }
    at += blockSize * (1 + Math.ceil(size / blockSize))
  }
}
