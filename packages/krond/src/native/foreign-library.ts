import { createRequire } from 'node:module'

/** A function of the C library. */
export interface ForeignCall {
  (...values: unknown[]): number
  /** On another thread; the last value is called with an error, or with the answer. */
  async(...values: unknown[]): void
}

/** The C library of this process. */
export interface ForeignLibrary {
  /** Throws when there is no such function. */
  func(definition: string): ForeignCall
  /** Why the last call on this thread failed. */
  errno(): number
}

interface Koffi {
  load(path: null): Pick<ForeignLibrary, 'func'>
  errno(): number
}

let loaded: ForeignLibrary | null | undefined

/** null where calls into the C library can't be made. */
export function foreignLibrary(): ForeignLibrary | null {
  if (loaded === undefined) loaded = load()
  return loaded
}

function load(): ForeignLibrary | null {
  try {
    // The native part alone: the package around it would build itself when it is installed.
    const name = `@koromix/koffi-${process.platform}-${process.arch}`
    const koffi = createRequire(import.meta.url)(name) as Koffi
    const library = koffi.load(null)
    return { func: (definition) => library.func(definition), errno: () => koffi.errno() }
  } catch {
    return null
  }
}

/** null where the C library is older than the function. */
export function optionalCall(library: ForeignLibrary, definition: string): ForeignCall | null {
  try {
    return library.func(definition)
  } catch {
    return null
  }
}
