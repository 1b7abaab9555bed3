/** For whom a package is, in the words of package.json. */
export interface Platform {
  readonly os?: readonly string[]
  readonly cpu: readonly string[]
  readonly libc?: readonly string[]
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

/** Reads the platform out of a name such as `@rolldown/binding-linux-arm64-musl`, or null. */
export function platformOf(name: string): Platform | null {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-')
  const cpu = processors.find((processor) => words.includes(processor))
  if (cpu === undefined) return null
  if (cpu === 'wasm32') return { cpu: [cpu] }
  const os = systems.find((system) => words.includes(system))
  if (os === undefined) return null
  if (os !== 'linux') return { os: [os], cpu: [cpu] }
  return { os: [os], cpu: [cpu], libc: [words.includes('musl') ? 'musl' : 'glibc'] }
}
