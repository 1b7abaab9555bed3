import { dirname } from 'node:path'
import { SystemError } from '@kron/core'
import type { FileKind, FileSource } from '../src/files/index.js'

/** Absolute paths and what the files have. Folders are the parents of the files. */
export function memoryFiles(contents: Readonly<Record<string, string | Uint8Array>>): FileSource {
  const paths = Object.keys(contents)
  const isFolder = (path: string): boolean => paths.some((file) => file.startsWith(`${path}/`))
  return {
    kindOf(path): FileKind {
      if (Object.hasOwn(contents, path)) return 'file'
      return isFolder(path) ? 'folder' : 'missing'
    },
    list(folder) {
      if (!isFolder(folder)) throw missing(folder)
      return paths
        .filter((path) => dirname(path) === folder)
        .map((path) => path.slice(folder.length + 1))
    },
    read(path, most) {
      const content = contents[path]
      if (content === undefined) throw missing(path)
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      return bytes.subarray(0, most + 1)
    },
  }
}

function missing(path: string): SystemError {
  const details = { field: 'file', value: path }
  return new SystemError('KRON_FILE_UNREADABLE', `no such file: ${path}`, details)
}
