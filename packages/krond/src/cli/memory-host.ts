import { dirname } from 'node:path'
import { SystemError } from '@kron/core'
import type { TextOutput } from '@kron/runtime'
import type { FileKind, FileSource } from '../krontab/index.js'
import type { Host } from './host.js'

export interface MemoryHostOptions {
  /** What the clock shows, always. */
  readonly now: number
  /** Absolute paths and what the files have. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly home?: string
  /** 1000 if left out. */
  readonly uid?: number
  /** UTC if left out. */
  readonly timezone?: string
  readonly isTerminal?: boolean
  readonly columns?: number
}

/** A host with nothing of a machine: files in memory, a clock that stands, collected output. */
export interface MemoryHost extends Host {
  /** What was written to stdout, to stderr, and to both in order. */
  readonly output: { readonly stdout: string; readonly stderr: string; readonly both: string }
  /** Files that commands wrote as text. */
  readonly written: ReadonlyMap<string, string>
  /** Files that commands wrote as bytes. */
  readonly writtenBytes: ReadonlyMap<string, Uint8Array>
}

export function memoryHost(options: MemoryHostOptions): MemoryHost {
  const output = { stdout: '', stderr: '', both: '' }
  const written = new Map<string, string>()
  const writtenBytes = new Map<string, Uint8Array>()
  const collect = (name: 'stdout' | 'stderr'): TextOutput => ({
    write(text) {
      output[name] += text
      output.both += text
    },
    isTerminal: options.isTerminal ?? false,
    columns: options.columns ?? 80,
  })
  return {
    clock: { now: () => new Date(options.now) },
    env: options.env ?? {},
    cwd: options.cwd ?? '/home/ada',
    home: options.home ?? '/home/ada',
    uid: options.uid ?? 1000,
    timezone: () => options.timezone ?? 'UTC',
    files: memoryFiles(options.files ?? {}),
    writeFile(path, content) {
      if (typeof content === 'string') written.set(path, content)
      else writtenBytes.set(path, content)
    },
    replaceFile: (path, text) => void written.set(path, text),
    stdout: collect('stdout'),
    stderr: collect('stderr'),
    output,
    written,
    writtenBytes,
  }
}

/** Folders are the parents of the files. */
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
