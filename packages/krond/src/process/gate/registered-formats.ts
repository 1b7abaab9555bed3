import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

const formatsFolder = '/proc/sys/fs/binfmt_misc'
const switches = new Set(['register', 'status'])

/**
 * Whether an interpreter is registered with the kernel for a file that begins so (binfmt_misc): it
 * executes texts, too, by the end of their names or by their first bytes.
 */
export async function isRegisteredFormat(
  path: string,
  start: Buffer,
  folder = formatsFolder,
): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => !switches.has(one))) {
    const entry = await readFile(join(folder, name), 'utf8').catch(() => '')
    if (matches(entry, path, start)) return true
  }
  return false
}

function matches(entry: string, path: string, start: Buffer): boolean {
  const field = (name: string): string => new RegExp(`^${name} (\\S+)$`, 'm').exec(entry)?.[1] ?? ''
  if (!/^enabled$/m.test(entry)) return false
  const extension = field('extension')
  if (extension !== '') return extname(path) === extension
  const magic = Buffer.from(field('magic'), 'hex')
  const mask = Buffer.from(field('mask'), 'hex')
  const offset = Number(field('offset') || 0)
  return (
    magic.length > 0 &&
    magic.every((byte, at) => {
      const kept = mask[at] ?? 0xff
      return ((start[offset + at] ?? 0) & kept) === (byte & kept)
    })
  )
}
