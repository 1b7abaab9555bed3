import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'

/** The little of a file system that reading configuration needs. */
export interface FileSource {
  /** Throws an error with a `code` when it can't be told. */
  kindOf(path: string): FileKind
  /** Names of the entries of a folder, in any order. Throws as `kindOf` does. */
  list(folder: string): readonly string[]
  /** The bytes of a file, of a larger one only the first `most + 1`. Throws as `kindOf` does. */
  read(path: string, most: number): Uint8Array
}

export type FileKind = 'file' | 'folder' | 'other' | 'missing'

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
