import { hash } from 'node:crypto'

/** Where the state of a job is kept; no part of the identity itself gets into a file name. */
export function stateFileName(identity: string): string {
  return `${hash('sha256', identity, 'hex')}.json`
}

export function temporaryName(fileName: string): string {
  return `${fileName}.tmp`
}

/** `<file>.corrupt.20260301T023220Z`; later ones of the same second get `.1`, `.2`, ... */
export function corruptName(fileName: string, at: Date, attempt: number): string {
  const second = at.toISOString().replace(/[-:]|\.\d+/g, '')
  return `${fileName}.corrupt.${second}${attempt === 0 ? '' : `.${attempt}`}`
}
