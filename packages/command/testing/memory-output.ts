import type { TextOutput } from '@kron/runtime'

export interface MemoryOutputOptions {
  readonly isTerminal?: boolean | undefined
  readonly columns?: number | undefined
}

/** Both outputs of a process, collected. */
export interface MemoryOutput {
  readonly stdout: TextOutput
  readonly stderr: TextOutput
  /** What was written to stdout, to stderr, and to both in order. */
  readonly output: { readonly stdout: string; readonly stderr: string; readonly both: string }
}

export function memoryOutput(options: MemoryOutputOptions = {}): MemoryOutput {
  const output = { stdout: '', stderr: '', both: '' }
  const collect = (name: 'stdout' | 'stderr'): TextOutput => ({
    write(text) {
      output[name] += text
      output.both += text
    },
    isTerminal: options.isTerminal ?? false,
    columns: options.columns ?? 80,
  })
  return { stdout: collect('stdout'), stderr: collect('stderr'), output }
}
