/** What happens at one start of a virtual process. */
export interface VirtualRun {
  /** Whether there will be a gate at all: `transient` a SystemError, `permanent` an ExecutionError. */
  readonly prepare?: 'works' | 'transient' | 'permanent'
  /** Whether the gate becomes the job when it is released. */
  readonly exec?: 'works' | 'fails'
  /** How long it runs; for ever when left out. */
  readonly durationMs?: number
  readonly exitCode?: number
  /** What it writes first. */
  readonly output?: readonly { readonly stream: 'stdout' | 'stderr'; readonly line: string }[]
  readonly ignoresTerm?: boolean
  /** From SIGKILL to its end, as for one that waits for a disk; Infinity: it never ends. */
  readonly killMs?: number
}

export interface VirtualStart {
  readonly identity: string
  readonly nominal: number | null
  /** How many times this period was prepared before. */
  readonly earlier: number
}

/** Says what happens at each start; asked once for each. */
export type VirtualWorld = (start: VirtualStart) => VirtualRun

/** What was really executed: released, and not refused by `exec`. */
export interface VirtualExecution {
  readonly identity: string
  readonly nominal: number | null
  readonly pid: number
  readonly at: number
}
