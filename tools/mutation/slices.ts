/**
 * What is mutated, and the tests that must notice. A slice is a folder of one package with the
 * quick tests near it: each mutant runs those of them that reach it. Tests that start other
 * programs of ours are of no use here, since these run what was built and not the mutant.
 */
export interface Slice {
  /** The package and the folder in its `src`, such as `krond/lock`. */
  readonly name: string
  readonly folder: string
  readonly tests: readonly string[]
}

/** With the tests of the folder itself, and tests of other folders that are about it. */
function slice(name: string, more: readonly string[] = []): Slice {
  const [host, ...folders] = name.split('/')
  const folder = `packages/${host}/src/${folders.join('/')}`
  return { name, folder, tests: [`${folder}/**/*.test.ts`, ...more] }
}

const ofScheduler = [
  'packages/scheduler/test/{callbacks,clock-failure,clock-steps,hung-storage,mutual-stop,rush}.test.ts',
  'packages/scheduler/test/{startup,stop,storage-errors,storage-failure}.test.ts',
  'packages/scheduler/test/conformance/{concurrency,idempotency,latency,lifecycle-states}.test.ts',
  'packages/scheduler/test/conformance/{orphans,owners,polling-states,retry,stop-basics}.test.ts',
  'packages/scheduler/test/conformance/{task-states,timestamps}.test.ts',
]

export const slices: readonly Slice[] = [
  slice('core/decision'),
  slice('core/policy'),
  slice('core/governor'),
  slice('runtime/log'),
  slice('runtime/agenda'),
  slice('runtime/due-heap'),
  slice('krond/lock'),
  slice('krond/state'),
  slice('krond/daemon'),
  slice('krond/process'),
  slice('scheduler/override', ofScheduler),
  slice('scheduler/lifecycle', ofScheduler),
  slice('scheduler/polling', ofScheduler),
  slice('scheduler/storage', [...ofScheduler, 'packages/scheduler/test/lost-file.test.ts']),
  slice('operator/leadership'),
  slice('operator/informer'),
  slice('operator/status'),
  slice('operator/controller'),
  slice('operator/record'),
  slice('server/access'),
  slice('server/scheduling'),
  slice('server/worker'),
  slice('server/store/sql', [
    'packages/server/src/store/sqlite/sqlite-{excess,plans,reading,store}.test.ts',
  ]),
]

/** Too long to be run for each mutant, or about what was built or what another user may read. */
export const tooLong = [
  '**/core/src/decision/{distribution-law,next-schedulable-oracle}.test.ts',
  '**/due-heap-at-size.test.ts',
  '**/descriptor-outlet-process.test.ts',
  '**/line-property.test.ts',
  '**/sqlite-process.test.ts',
  '**/server/src/worker/steering-loop.test.ts',
  '**/operator/src/controller/{crowd,deaths,faults}.test.ts',
  '**/krond/src/process/foreign-process.test.ts',
  '**/krond/src/process/gate/{daemon-death,unprivileged-daemon}.test.ts',
  '**/krond/src/state/{state-faults,damaged-state}.test.ts',
]

/** The slice that a path is in, such as `krond/lock` or `krond/lock/flock.ts`. */
export function sliceOf(path: string): Slice {
  const found = slices.find(({ name }) => path === name || path.startsWith(`${name}/`))
  if (found !== undefined) return found
  const names = slices.map(({ name }) => name).join(', ')
  throw new Error(`no slice for ${path}: expected one of ${names}, or a file in one of them`)
}

/** The slice, or the file in one, that this process is about. */
export const pathOfThisRun = (): string => process.env['KRON_MUTATION_PATH'] ?? ''

/** Where the reports of a slice are, but for the ending. */
export const reportOf = ({ name }: Slice): string => `reports/mutation/${name.replaceAll('/', '-')}`
