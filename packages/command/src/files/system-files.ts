import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import type { FileKind, FileSource } from './file-source.js'

/** A text that is too long for a path, or has a NUL in it, such as a schedule may be. */
const neverAPath: readonly string[] = ['ENAMETOOLONG', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE']

/** The files of this machine. */
export const systemFiles: FileSource = {
  kindOf(path): FileKind {
    try {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found === undefined) return 'missing'
      return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (neverAPath.includes(code)) return 'missing'
      throw error
    }
  },

  list: (folder) => readdirSync(folder),

  read(path, most) {
    const descriptor = openSync(path, 'r')
    try {
      const bytes = new Uint8Array(most + 1)
      let length = 0
      for (;;) {
        const read = readSync(descriptor, bytes, length, bytes.length - length, null)
        length += read
        if (read === 0 || length === bytes.length) return bytes.subarray(0, length)
      }
    } finally {
      closeSync(descriptor)
    }
  },
}
