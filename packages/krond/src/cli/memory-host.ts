import { type MemoryOutput, memoryFiles, memoryOutput } from '@kron/command'
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
export interface MemoryHost extends Host, MemoryOutput {
  /** Files that commands wrote as text. */
  readonly written: ReadonlyMap<string, string>
  /** Files that commands wrote as bytes. */
  readonly writtenBytes: ReadonlyMap<string, Uint8Array>
}

export function memoryHost(options: MemoryHostOptions): MemoryHost {
  const written = new Map<string, string>()
  const writtenBytes = new Map<string, Uint8Array>()
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
    ...memoryOutput(options),
    written,
    writtenBytes,
  }
}
