import type { ErrorCode } from '@kron/core'

/** Something wrong with a manifest. The message is a sentence that names the field by itself. */
export interface Problem {
  readonly path: FieldPath
  readonly message: string
  readonly code: ErrorCode
  /** It may be right: a field that only a newer Kubernetes knows. */
  readonly isDoubtful?: true
}

/** Names of fields and positions in lists, from the manifest as a whole down. */
export type FieldPath = readonly (string | number)[]

export function problem(path: FieldPath, rest: string, code: ErrorCode): Problem {
  return { path, message: `${pathText(path)} ${rest}`, code }
}

/** `spec.constraints.only[0]`, or `metadata.labels["app.kubernetes.io/name"]`. */
export function pathText(path: FieldPath): string {
  if (path.length === 0) return 'the manifest'
  return path.map(stepText).join('').replace(/^\./, '')
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`
  return /^[\w$-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
}

/** The path that a text such as `spec.constraints.only[0]` means. */
export function pathOfText(text: string): FieldPath {
  return [...text.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) =>
    index === undefined ? name : Number(index),
  )
}

export const samePath = (a: FieldPath, b: FieldPath): boolean =>
  a.length === b.length && a.every((step, index) => step === b[index])
